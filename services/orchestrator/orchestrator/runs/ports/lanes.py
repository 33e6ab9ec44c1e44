"""The port to a run's data on NATS: lanes, run gates, and queued messages.

A lane is the queue of the calls to one model. Handlers put the commands and events of runs into the outbox; this port
can only count and remove them.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from llmbench.contracts.run_state import RunGate
from orchestrator.kernel.domain.records import Group


@dataclass(frozen=True)
class OnNats:
    """The runs and lanes that NATS has: the ids of runs with queued commands, and the names of lanes
    (`llmbench.ids.group_token`)."""

    runs: Set[UUID]
    lane_tokens: Set[str]


class Lanes(Protocol):
    async def open(self, group: Group) -> None:
        """Create the consumer of the group's lane (queue of calls), or update its concurrency, and notify the gateways.
        Does nothing for a group that calls no model."""
        ...

    async def close(self, group: Group) -> None: ...

    async def set_gate(self, run_id: UUID, gate: RunGate) -> None: ...

    async def purge(self, run_id: UUID) -> None:
        """Remove all queued commands of the run."""
        ...

    async def found(self) -> OnNats:
        """Return the ids of all runs with queued commands, and the names (`llmbench.ids.group_token`) of all lanes."""
        ...

    async def close_lanes(self, tokens: Set[str]) -> None: ...

    async def forget(self, run_ids: Sequence[UUID], lane_tokens: Sequence[str]) -> None:
        """Delete the data of deleted runs from NATS: their commands, events and run gates. Also delete the lanes
        (queues of calls) with the names `lane_tokens`."""
        ...

    async def commands_waiting(self, run_id: UUID) -> int:
        """Return the number of the run's commands that are queued or being processed; 0 while the stream of commands is
        missing."""
        ...
