"""The port that creates and changes runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from llmbench.contracts.case import Case
from llmbench.contracts.dataset_words import VersionStatus
from llmbench.contracts.provider import ProviderSnapshot
from orchestrator.kernel.domain.new_run import Idempotency, NewEvaluator, NewRun
from orchestrator.runs.domain.schedule import GroupPlan
from orchestrator.runs.domain.self_judging import Warning
from orchestrator.runs.ports.transaction import RunEvaluator


@dataclass(frozen=True)
class CollectionFound:
    id: UUID
    name: str
    task_count: int


@dataclass(frozen=True)
class DatasetVersionFound:
    name: str
    version_number: int
    status: VersionStatus


class RunFactory(Protocol):
    """Creates and changes runs, and reads the data for the checks before."""

    async def providers(self, ids: set[UUID]) -> dict[UUID, ProviderSnapshot]: ...

    async def collections(self, ids: Sequence[UUID]) -> dict[UUID, CollectionFound]: ...

    async def dataset_versions(self, ids: Sequence[UUID]) -> dict[UUID, DatasetVersionFound]: ...

    async def create(
        self,
        new: NewRun,
        evaluators: Sequence[NewEvaluator],
        groups: Sequence[GroupPlan],
        providers: dict[UUID, ProviderSnapshot],
        warnings: Sequence[Warning],
        now: datetime,
    ) -> UUID:
        """Create the run in one transaction. Raises `ActiveRunExists`, `KeyTaken`."""
        ...

    async def change(self, run_id: UUID, changes: Mapping[str, Any]) -> bool:
        """Set the given columns of the run; return `False` if there is no such run.

        Raises a 422 `Problem` if the run's cases cannot be clustered by the requested key.
        """
        ...

    async def run_exists(self, run_id: UUID) -> bool: ...

    async def evaluators(self, run_id: UUID) -> list[RunEvaluator]:
        """Return the run's evaluators in the order in which they joined it."""
        ...

    async def run_of_key(self, idempotency: Idempotency) -> UUID | None:
        """Return the run that an earlier request with this key created or changed, else `None`. Raises a 422 `Problem`
        if that request was a different one."""
        ...

    async def count_checks(self, new: NewRun) -> tuple[int, int]:
        """Return how many of the run's cases have checks, and how many have none."""
        ...

    async def first_cases(self, new: NewRun, limit: int) -> list[Case]:
        """Return the first cases of a run that is not created yet. Long fields without references are omitted."""
        ...

    async def first_cases_of_run(self, run_id: UUID, limit: int) -> list[Case]:
        """Return the first cases of an existing run. Long fields without references are omitted."""
        ...

    async def active_run(self) -> tuple[UUID, str] | None: ...
