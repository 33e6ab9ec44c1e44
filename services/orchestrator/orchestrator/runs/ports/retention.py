"""The port that removes old runs, and the responses of `/api/retention`."""

from collections.abc import Set
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from pydantic import BaseModel, Field

from llmbench.contracts.base import UtcTime
from llmbench.contracts.run_words import RunStatus
from orchestrator.runs.domain.retention import Kept
from orchestrator.runs.ports.store import Deleted

MOST_DAYS = 36_500


class OldRun(BaseModel):
    """A finished or cancelled run that is old enough to be removed, or that was just removed."""

    id: UUID
    name: str
    finished_at: UtcTime
    items: int


class KeptRun(BaseModel):
    """A run that is not removed. If it is only too young for the requested age, `removes_at` is the time from which it
    may be removed; else null."""

    id: UUID
    name: str
    status: RunStatus
    finished_at: UtcTime | None
    items: int
    reason: Kept
    why: str
    removes_at: UtcTime | None


class KeptCount(BaseModel):
    reason: Kept
    runs: int


class RetentionPreview(BaseModel):
    """The runs to remove, and why the other runs are kept. Each list has the first 200 runs; the counts cover all."""

    retention_days: float | None = Field(
        description="Runs older than this are removed automatically: the lower of `LLMBENCH_RETENTION_DAYS` and the "
        "organisation's `data_retention_days`. Null: none is."
    )
    older_than_days: float | None = Field(
        description="The requested age, or else the setting. Null: nothing is removed."
    )
    removable: list[OldRun] = Field(description="The oldest first.")
    removable_runs: int
    removable_items: int
    kept: list[KeptRun] = Field(description="Runs that will be old enough first come first.")
    kept_runs: list[KeptCount]


class Pruned(BaseModel):
    """The runs that one request removed. A request stops after some seconds; `left` is the number of runs that remain
    to be removed, so repeat it until `left` is 0."""

    removed: list[OldRun]
    left: int


@dataclass(frozen=True)
class Removed:
    run: OldRun
    deleted: Deleted


class RetentionStore(Protocol):
    async def preview(self, older_than_days: float | None) -> RetentionPreview: ...

    async def count(self, older_than_days: float, *, besides: Set[UUID]) -> int: ...

    async def remove_oldest(self, older_than_days: float, *, besides: Set[UUID]) -> Removed | UUID | None:
        """Remove the oldest run that may be removed and is not in `besides`, with all its data in one transaction.
        Return what was removed.

        Return only the run's id if it turns out that the run may no longer be removed, for instance because it was just
        reopened. Return `None` if there is no run to remove.
        """
        ...

    async def give_back_space(self) -> None:
        """Vacuum the tables of runs, so that PostgreSQL can reuse the space of removed rows."""
        ...
