"""The port for actions on NATS that handlers need in addition to the outbox. A lane is the queue of one model's
calls.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from llmbench.contracts.run_state import RunGate
from orchestrator.kernel.domain.records import Group


@dataclass(frozen=True)
class OnNats:
    """The data of runs on NATS: the ids of runs with queued commands, and the tokens of existing lanes."""

    runs: Set[UUID]
    lane_tokens: Set[str]


class Lanes(Protocol):
    async def open(self, group: Group) -> None:
        """Create the lane's consumer, or update its concurrency, and notify the gateways. A group that calls no model
        needs no consumer."""
        ...

    async def close(self, group: Group) -> None: ...

    async def set_gate(self, run_id: UUID, gate: RunGate) -> None: ...

    async def purge(self, run_id: UUID) -> None:
        """Remove all queued commands of the run."""
        ...

    async def found(self) -> OnNats:
        """Return the runs with queued commands and the lanes that exist now."""
        ...

    async def close_lanes(self, tokens: Set[str]) -> None: ...

    async def forget(self, run_id: UUID, lane_tokens: Sequence[str]) -> None:
        """Delete everything that belongs to a deleted run: its commands, events and gate, and the named lanes."""
        ...

    async def commands_waiting(self, run_id: UUID) -> int:
        """Return the number of the run's commands that are queued or being processed."""
        ...
