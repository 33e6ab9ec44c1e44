"""The ports that read suites and the results of suite runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from llmbench.contracts.provider import ProviderSnapshot
from llmbench.contracts.suite import SuiteDefinition, SuiteStatus, SuiteTask
from orchestrator.runs.domain.schedule import Model
from orchestrator.suites.ports.schemas import SuiteOfRun


@dataclass(frozen=True)
class StoredSuite:
    """A version of a suite. All versions share the `family_id`."""

    id: UUID
    family_id: UUID
    name: str
    version_number: int
    status: SuiteStatus
    definition: SuiteDefinition


@dataclass(frozen=True)
class Measured:
    """The mean time of a model's last answers in seconds, and their mean cost in US dollars; null if unknown."""

    seconds_per_answer: float | None
    cost_per_answer_usd: float | None


class SuiteReader(Protocol):
    async def suite(self, suite_id: UUID) -> StoredSuite | None: ...

    async def newest(self, suite_id: UUID) -> UUID | None:
        """Return the id of the newest published version of a suite. `suite_id` is the id of any of the suite's
        versions. Return `None` if there is no such version, or if none is published."""
        ...

    async def providers(self) -> Sequence[ProviderSnapshot]:
        """Return all providers of the organisation, by name."""
        ...

    async def published(self, *, limit: int, offset: int) -> tuple[Sequence[StoredSuite], int]:
        """Return a page of the published suites by name, each in its newest version, and the total number."""
        ...

    async def case_counts(self, tasks: Sequence[SuiteTask]) -> Mapping[UUID, int]:
        """Return the number of cases of each task's source, by the id of the dataset version or collection. Deleted
        sources are left out."""
        ...

    async def measured(self, models: Sequence[Model]) -> Mapping[Model, Measured]:
        """Return the mean time and cost of each model's answers in its last finished runs. A model without such runs
        is left out."""
        ...

    async def of_run(self, run_id: UUID) -> SuiteOfRun | None:
        """Return the scores of a suite run; `None` if there is no such run, or if it is not a run of a suite."""
        ...
