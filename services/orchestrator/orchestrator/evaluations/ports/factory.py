"""The port that creates evaluations in the database."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol
from uuid import UUID

from llmbench.contracts.case import Case
from llmbench.contracts.provider import ProviderSnapshot
from orchestrator.evaluations.domain.placement import Active
from orchestrator.evaluations.ports.evaluations import NewEvaluation
from orchestrator.kernel.domain.new_run import Idempotency, NewRun
from orchestrator.runs.ports.factory import DatasetVersionFound


class EvaluationFactory(Protocol):
    """Creates evaluations, and reads the data that the checks of a request need."""

    async def every_provider(self) -> Mapping[UUID, ProviderSnapshot]: ...

    async def dataset_versions(self, ids: Sequence[UUID]) -> dict[UUID, DatasetVersionFound]: ...

    async def first_cases(self, new: NewRun, limit: int) -> list[Case]: ...

    async def active(self) -> Active | None:
        """Return the active run with the models that it still uses; `None` if no run is active."""
        ...

    async def evaluate(self, new: NewEvaluation, now: datetime) -> UUID:
        """Create the evaluation's run in one transaction and return its id.

        Raises `ActiveRunExists` if the organisation would have a second active run, or `KeyTaken` if another request
        has stored the same idempotency key. Raises a `Problem`: 422 that names the invalid outputs, 409 if a provider
        was deleted meanwhile.
        """
        ...

    async def default_evaluators(self) -> Sequence[str]:
        """Return the kinds of the organisation's default evaluators; empty if it set none."""
        ...

    async def run_of_key(self, idempotency: Idempotency) -> UUID | None: ...
