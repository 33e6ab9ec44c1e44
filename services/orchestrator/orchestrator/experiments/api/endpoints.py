"""The endpoints of `/v1/experiments` that create, change, plan and control experiments."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Protocol
from uuid import UUID

from fastapi import Header, Query, Response

from llmbench.access import Resource, Verb
from llmbench.contracts.experiment_words import ExperimentStatus, ExperimentType
from llmbench.errors import Problem
from llmbench.http.openapi import answers
from llmbench.http.service_router import ServiceRouter, needs
from orchestrator.experiments.api.bodies import ConcludeIn, ExperimentIn, PlanExperiment
from orchestrator.experiments.api.read_request import requested
from orchestrator.experiments.api.services import PATH, ExperimentServices, Offset, found
from orchestrator.experiments.domain.records import Experiment
from orchestrator.experiments.handlers import manage
from orchestrator.experiments.handlers.control import ControlParts
from orchestrator.experiments.handlers.control import archive as archive_experiment
from orchestrator.experiments.handlers.control import conclude as conclude_experiment
from orchestrator.experiments.handlers.control import pause as pause_experiment
from orchestrator.experiments.handlers.control import resume as resume_experiment
from orchestrator.experiments.handlers.control import start as start_experiment
from orchestrator.experiments.handlers.manage import ExperimentParts
from orchestrator.experiments.handlers.plan import plan_experiment
from orchestrator.experiments.handlers.show import shown
from orchestrator.experiments.ports.schemas import ExperimentOut, ExperimentPage, ExperimentPlan
from orchestrator.experiments.ports.store import ExperimentFilter
from orchestrator.kernel.api.query import Text, clean_text

_TAKEN = answers(409, "The name is taken, or the experiment has started: only name, hypothesis and notes may change.")
_CHANGED = answers(412, "The experiment was changed meanwhile.")
_STATE = answers(409, "The experiment's state does not allow it.")
IfMatch = Annotated[
    str | None,
    Header(max_length=4096, description="The ETag that you read before this change. If it is outdated: 412."),
]


class Move(Protocol):
    """A command that changes the state of an experiment, such as `pause`."""

    async def __call__(self, at: ControlParts, experiment: Experiment, *, now: datetime) -> None: ...


def router(services: Callable[[], ExperimentServices]) -> ServiceRouter:
    api = ServiceRouter(prefix=PATH, tags=["experiments"], resource=Resource.EXPERIMENTS)

    def parts() -> ExperimentParts:
        return services().parts

    def control() -> ControlParts:
        return services().control

    @api.get("", operation_id="listExperiments")
    async def list_experiments(
        limit: Annotated[int, Query(ge=1, le=100)] = 20,
        offset: Offset = 0,
        status: ExperimentStatus | None = None,
        type: ExperimentType | None = None,  # the name of the query parameter
        search: Text = None,
    ) -> ExperimentPage:
        """List experiments, the newest first. `search` finds words of the name and the hypothesis."""
        chosen = ExperimentFilter(status, type, clean_text(search))
        page, total = await parts().store.page(chosen, limit=limit, offset=offset)
        experiments = [shown(experiment, counts) for experiment, counts in page]
        return ExperimentPage(experiments=experiments, total=total, has_more=offset + len(experiments) < total)

    @api.post("", status_code=201, operation_id="createExperiment", responses=_TAKEN)
    async def create(body: ExperimentIn, response: Response) -> ExperimentOut:
        """Create an experiment as a DRAFT: it is not started, and can still be changed. It needs no cases before the
        start."""
        experiment_id = await manage.create(parts(), requested(body), datetime.now(UTC))
        response.headers["Location"] = f"{PATH}/{experiment_id}"
        return await _shown(experiment_id, response)

    @api.post("/plan", operation_id="planExperiment", openapi_extra=needs(Verb.READ))
    async def plan(body: PlanExperiment) -> ExperimentPlan:
        """Plan an experiment without creating it. Return the sample size that the minimum effect needs, and the calls,
        cost and time of the sample."""
        new = requested(body, seed=0)
        await manage.check(parts().catalogue, new)
        return await plan_experiment(control().planning, new, body.standard_deviation)

    @api.get("/{experiment_id}", operation_id="getExperiment")
    async def get(experiment_id: UUID, response: Response) -> ExperimentOut:
        """Return an experiment with its variants and its progress."""
        return await _shown(experiment_id, response)

    @api.put("/{experiment_id}", operation_id="updateExperiment", responses=_TAKEN | _CHANGED)
    async def update(
        experiment_id: UUID, body: ExperimentIn, response: Response, if_match: IfMatch = None
    ) -> ExperimentOut:
        """Replace an experiment that was not started (DRAFT). After the start only name, hypothesis and notes can be
        changed; any other change is refused (409)."""
        experiment = await found(parts(), experiment_id)
        _require_match(if_match, experiment)
        await manage.replace(parts(), experiment, requested(body, experiment.seed), datetime.now(UTC))
        return await _shown(experiment_id, response)

    @api.delete("/{experiment_id}", status_code=204, operation_id="deleteExperiment", responses=_STATE)
    async def delete(experiment_id: UUID) -> None:
        """Delete an experiment that was not started (DRAFT)."""
        await manage.delete(parts(), await found(parts(), experiment_id))

    @api.post("/{experiment_id}/start", operation_id="startExperiment", responses=_STATE)
    async def start(experiment_id: UUID, response: Response) -> ExperimentOut:
        """Start an experiment: plan its sample, shuffle its cases by its seed, and begin the first round."""
        return await _moved(start_experiment, experiment_id, response)

    @api.post("/{experiment_id}/pause", operation_id="pauseExperiment", responses=_STATE)
    async def pause(experiment_id: UUID, response: Response) -> ExperimentOut:
        """Pause the experiment. No further round starts, and the run of the current round is paused."""
        return await _moved(pause_experiment, experiment_id, response)

    @api.post("/{experiment_id}/resume", operation_id="resumeExperiment", responses=_STATE)
    async def resume(experiment_id: UUID, response: Response) -> ExperimentOut:
        """Resume a paused experiment with its current round. If that round failed, it is repeated."""
        return await _moved(resume_experiment, experiment_id, response)

    @api.post("/{experiment_id}/conclude", operation_id="concludeExperiment", responses=_STATE)
    async def conclude(experiment_id: UUID, body: ConcludeIn, response: Response) -> ExperimentOut:
        """Conclude the experiment with a winner, or with `no_winner`. A round that is still going on is cancelled."""
        order = partial(conclude_experiment, winner=body.winner, notes=body.notes)
        return await _moved(order, experiment_id, response)

    @api.post("/{experiment_id}/archive", operation_id="archiveExperiment", responses=_STATE)
    async def archive(experiment_id: UUID, response: Response) -> ExperimentOut:
        """Archive a concluded experiment. Its results and its looks (analyses) are kept."""
        return await _moved(archive_experiment, experiment_id, response)

    async def _moved(move: Move, experiment_id: UUID, response: Response) -> ExperimentOut:
        await move(control(), await found(parts(), experiment_id), now=datetime.now(UTC))
        return await _shown(experiment_id, response)

    async def _shown(experiment_id: UUID, response: Response) -> ExperimentOut:
        experiment = await found(parts(), experiment_id)
        response.headers["ETag"] = f'"{experiment.version}"'
        return shown(experiment, await parts().store.counts(experiment_id))

    return api


def _require_match(if_match: str | None, experiment: Experiment) -> None:
    if if_match is None:
        return
    tags = {tag.strip().strip('"') for tag in if_match.split(",")}
    if not tags & {"*", str(experiment.version)}:
        detail = (
            f"The experiment is at version {experiment.version}, not at {if_match}: read it again, repeat the change."
        )
        raise Problem(412, "Changed meanwhile", detail, extra={"version": experiment.version})
