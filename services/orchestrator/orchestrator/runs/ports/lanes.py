"""The NATS operations that handlers need in addition to the outbox: lanes, gates, and the commands
still in the stream."""

from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from llmbench.contracts.run_state import RunGate
from orchestrator.kernel.domain.records import Group


@dataclass(frozen=True)
class OnNats:
    """The runs with commands in the stream, and the existing lanes by token."""

    runs: Set[UUID]
    lane_tokens: Set[str]


class Lanes(Protocol):
    async def open(self, group: Group) -> None:
        """Create the group's consumer, or update its concurrency, and notify the gateways. A group without a lane needs
        none."""
        ...

    async def close(self, group: Group) -> None: ...

    async def set_gate(self, run_id: UUID, gate: RunGate) -> None: ...

    async def purge(self, run_id: UUID) -> None:
        """Drop every command of the run."""
        ...

    async def found(self) -> OnNats:
        """Return what is on NATS at this moment."""
        ...

    async def close_lanes(self, tokens: Set[str]) -> None: ...

    async def forget(self, run_id: UUID, lane_tokens: Sequence[str]) -> None:
        """Drop everything of a deleted run: commands, events, gate, and these lanes."""
        ...

    async def commands_waiting(self, run_id: UUID) -> int:
        """Return the number of the run's commands that are queued or being processed."""
        ...
