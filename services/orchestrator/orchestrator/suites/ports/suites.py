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
    """The mean time and cost of a model's last answers; null if unknown."""

    seconds_per_answer: float | None
    cost_per_answer_usd: float | None


class SuiteReader(Protocol):
    async def suite(self, suite_id: UUID) -> StoredSuite | None: ...

    async def newest(self, suite_id: UUID) -> UUID | None:
        """Return the newest published version of the suite that the version `suite_id` belongs to. `None` if there is
        no such version, or none is published."""
        ...

    async def providers(self) -> Sequence[ProviderSnapshot]:
        """Return all providers of the organisation, by name."""
        ...

    async def published(self, *, limit: int, offset: int) -> tuple[Sequence[StoredSuite], int]:
        """Return a page of the published suites by name, each in its newest version, and the total number."""
        ...

    async def case_counts(self, tasks: Sequence[SuiteTask]) -> Mapping[UUID, int]:
        """Return the numbers of cases of the tasks' sources, by the id of the dataset version or collection. Deleted
        ones are left out."""
        ...

    async def measured(self, models: Sequence[Model]) -> Mapping[Model, Measured]:
        """Return what the last finished runs measured of each model. Unknown models are left out."""
        ...

    async def of_run(self, run_id: UUID) -> SuiteOfRun | None:
        """Return the scores of a suite run, or `None` if there is no such run or it is not one of a suite."""
        ...
