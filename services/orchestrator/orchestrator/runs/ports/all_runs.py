"""The port that finds the work of all organisations for background loops. Each piece of work is then done for one
organisation."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from llmbench.contracts.run_state import RunGate
from orchestrator.runs.ports.lanes import OnNats


@dataclass(frozen=True)
class UnfinishedRun:
    """A run that is not over, its organisation, and the state that its run gate on NATS should have."""

    run_id: UUID
    org_id: UUID
    gate: RunGate


@dataclass(frozen=True)
class Organisation:
    """An organisation. Its finished runs are removed after `retention_days`; null if it has set no such time."""

    id: UUID
    retention_days: float | None


class AllRuns(Protocol):
    async def unfinished(self) -> Sequence[UnfinishedRun]: ...

    async def with_queue(self) -> Sequence[UUID]:
        """Return the ids of the organisations that have queued runs."""
        ...

    async def needed(self, found: OnNats) -> OnNats:
        """Return the runs and lanes of `found` that belong to unfinished runs."""
        ...

    async def organisations(self) -> Sequence[Organisation]: ...
