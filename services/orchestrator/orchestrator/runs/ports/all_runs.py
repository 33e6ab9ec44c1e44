"""The port to the runs of all organisations, for loops that look for work. The work itself is done for one of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from llmbench.contracts.run_state import RunGate
from orchestrator.runs.ports.lanes import OnNats


@dataclass(frozen=True)
class UnfinishedRun:
    """A run that is not over, its organisation, and the state that its gate should have."""

    run_id: UUID
    org_id: UUID
    gate: RunGate


class AllRuns(Protocol):
    async def unfinished(self) -> Sequence[UnfinishedRun]: ...

    async def with_queue(self) -> Sequence[UUID]:
        """Return the organisations that have queued runs."""
        ...

    async def needed(self, found: OnNats) -> OnNats:
        """Return the part of `found` that belongs to unfinished runs."""
        ...

    async def organisations(self) -> Sequence[UUID]:
        """Return all organisations."""
        ...
