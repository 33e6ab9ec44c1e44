"""The port that creates runs and changes their settings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from llmbench.contracts.case import Case
from llmbench.contracts.dataset_words import VersionStatus
from llmbench.contracts.provider import ProviderSnapshot
from orchestrator.kernel.domain.new_run import Idempotency, NewEvaluator, NewRun
from orchestrator.kernel.domain.subject import Subject
from orchestrator.runs.domain.schedule import GroupPlan
from orchestrator.runs.domain.self_judging import Warning
from orchestrator.runs.domain.tags import TagChange
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
    """Creates runs, changes their settings, and reads the data that the checks of a request need."""

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
        """Create the run in one transaction and return its id.

        Raises `ActiveRunExists` if the organisation would have a second active run, or `KeyTaken` if another request
        has stored the same idempotency key. Raises a `Problem`: 409 if cases or providers were deleted meanwhile, 422
        if the run's cases, evaluators or size are not allowed.
        """
        ...

    async def change(self, run_id: UUID, changes: Mapping[str, Any]) -> bool:
        """Change settings of the run: `changes` maps columns of the table `run` to their new values. Return `False` if
        there is no such run.

        Raises a 422 `Problem` if `cluster_by` changes to a metadata key by which the cases cannot be clustered.
        """
        ...

    async def tag(self, run_ids: Sequence[UUID], change: TagChange) -> int:
        """Change the tags of the runs in one transaction. Return how many runs have different tags now.

        Raises a `Problem`, and changes nothing: 404 if one of the runs does not exist, 422 if one would have too many
        tags.
        """
        ...

    async def run_exists(self, run_id: UUID) -> bool: ...

    async def subject_name(self, subject: Subject) -> str | None:
        """Return the name of the subject (a preset or a suite); `None` if it does not exist."""
        ...

    async def evaluators(self, run_id: UUID) -> list[RunEvaluator]:
        """Return the run's evaluator revisions, members of panels included, in the order in which they were added."""
        ...

    async def run_of_key(self, idempotency: Idempotency) -> UUID | None:
        """Return the id of the run that an earlier request with this key created or changed, else `None`. Raises a 422
        `Problem` if that request was a different one."""
        ...

    async def default_evaluators(self) -> Sequence[str]:
        """Return the kinds of the organisation's default evaluators; empty if it set none."""
        ...

    async def count_checks(self, new: NewRun) -> tuple[int, int]:
        """Return how many cases of the requested run have checks of their own, and how many have none. A check is a
        condition that a program tests on the answer."""
        ...

    async def first_cases(self, new: NewRun, limit: int) -> list[Case]:
        """Return up to `limit` cases of a run that is not created yet, so that their reference answers can be checked.
        Long fields that contain no reference answers are omitted, and long questions are shortened."""
        ...

    async def first_cases_of_run(self, run_id: UUID, limit: int) -> list[Case]:
        """Return up to `limit` cases of an existing run, so that their reference answers can be checked. Long fields
        that contain no reference answers are omitted, and long questions are shortened."""
        ...

    async def active_run(self) -> tuple[UUID, str] | None:
        """Return id and name of the organisation's active run; `None` if there is none. Runs that were created to run
        next to an active one do not count."""
        ...
