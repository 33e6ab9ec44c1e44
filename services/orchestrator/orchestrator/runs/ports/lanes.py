"""The port to NATS: handlers manage lanes, run gates and queued commands with it. Messages go through the outbox
instead.

A lane is the queue of the calls to one model.
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
        """Create the consumer of the group's lane, or update its concurrency, and notify the gateways. Does nothing for
        a group that calls no model."""
        ...

    async def close(self, group: Group) -> None: ...

    async def set_gate(self, run_id: UUID, gate: RunGate) -> None: ...

    async def purge(self, run_id: UUID) -> None:
        """Remove all queued commands of the run."""
        ...

    async def found(self) -> OnNats:
        """Return the ids of all runs with queued commands, and the tokens of all lanes on NATS."""
        ...

    async def close_lanes(self, tokens: Set[str]) -> None: ...

    async def forget(self, run_id: UUID, lane_tokens: Sequence[str]) -> None:
        """Delete what NATS has of a deleted run: its commands, events and gate, and the lanes `lane_tokens`."""
        ...

    async def commands_waiting(self, run_id: UUID) -> int:
        """Return the number of the run's commands that are queued or being processed."""
        ...
