"""What the handlers need of NATS beside the outbox: lanes, gates, and what still lies in the stream."""

from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from llmbench.contracts.run_state import RunGate
from orchestrator.domain.records import Group


@dataclass(frozen=True)
class OnNats:
    """Whose commands lie in the stream, and which lanes there are, by token."""

    runs: Set[UUID]
    lane_tokens: Set[str]


class Lanes(Protocol):
    async def open(self, group: Group) -> None:
        """Make the group's consumer, or bring it to the group's concurrency; tell the gateways.
        Nothing, for a group without a lane."""
        ...

    async def close(self, group: Group) -> None: ...

    async def set_gate(self, run_id: UUID, gate: RunGate) -> None: ...

    async def purge(self, run_id: UUID) -> None:
        """Drop every command of the run."""
        ...

    async def found(self) -> OnNats:
        """What is on NATS at this moment."""
        ...

    async def close_lanes(self, tokens: Set[str]) -> None: ...

    async def forget(self, run_id: UUID, lane_tokens: Sequence[str]) -> None:
        """Drop everything of a run that was deleted: commands, events, gate, and these lanes."""
        ...

    async def commands_waiting(self, run_id: UUID) -> int:
        """Commands of the run that nobody has finished with: queued or being worked on."""
        ...
