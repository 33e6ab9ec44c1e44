"""The dependencies of the endpoints, created when the service starts, and functions that all endpoints share."""

from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from fastapi import Query

from orchestrator.experiments.domain.records import Experiment
from orchestrator.experiments.handlers.control import ControlParts
from orchestrator.experiments.handlers.experiments import Experiments
from orchestrator.experiments.handlers.manage import ExperimentParts, no_experiment
from orchestrator.experiments.ports.outside import UnitStore
from orchestrator.experiments.ports.reading import ExperimentReader


@dataclass(frozen=True)
class ExperimentServices:
    parts: ExperimentParts
    control: ControlParts
    reader: ExperimentReader
    experiments: Experiments
    units: UnitStore


PATH = "/v1/experiments"
Offset = Annotated[int, Query(ge=0, le=2**31 - 1)]


async def found(parts: ExperimentParts, experiment_id: UUID) -> Experiment:
    """Return the experiment. Raises a 404 `Problem` if the organisation has no such experiment."""
    experiment = await parts.store.get(experiment_id)
    if experiment is None:
        raise no_experiment(experiment_id)
    return experiment
