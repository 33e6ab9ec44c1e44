"""The port to experiments in the database."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from llmbench.contracts.experiment_words import ExperimentStatus, ExperimentType
from orchestrator.experiments.domain.records import Counts, Experiment, Round
from orchestrator.experiments.domain.requested import NewExperiment


class NameTaken(Exception):
    """Raised when another experiment of the organisation has the same name."""


@dataclass(frozen=True)
class ExperimentFilter:
    status: ExperimentStatus | None = None
    type: ExperimentType | None = None
    search: str | None = None


class ExperimentStore(Protocol):
    """Reads and changes experiments. They belong to the organisation for which the current asyncio task works."""

    async def create(self, new: NewExperiment, now: datetime) -> UUID:
        """Create an experiment that is not started yet (DRAFT), and return its id. Raises `NameTaken` if another
        experiment has the name."""
        ...

    async def replace(self, experiment_id: UUID, new: NewExperiment, *, version: int, now: datetime) -> bool:
        """Replace an experiment that was not started and is still at `version`. Return whether it was replaced. Raises
        `NameTaken` if another experiment has the name."""
        ...

    async def rename(
        self,
        experiment_id: UUID,
        *,
        name: str,
        hypothesis: str | None,
        notes: str | None,
        version: int,
        now: datetime,
    ) -> bool:
        """Change name, hypothesis and notes, if the experiment is still at `version`. Return whether they were changed.
        Raises `NameTaken` if another experiment has the name."""
        ...

    async def delete(self, experiment_id: UUID) -> bool:
        """Delete an experiment that is still a DRAFT. Return `False` if there is no such draft."""
        ...

    async def get(self, experiment_id: UUID) -> Experiment | None: ...

    async def page(
        self, chosen: ExperimentFilter, *, limit: int, offset: int
    ) -> tuple[Sequence[tuple[Experiment, Counts]], int]:
        """Return a page of the experiments, the newest first, and the total number."""
        ...

    async def counts(self, experiment_id: UUID) -> Counts: ...

    async def rounds(self, experiment_id: UUID) -> Sequence[Round]:
        """Return all rounds in their order, each with the state of its run."""
        ...
