"""Start, pause, resume, conclude and archive experiments."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from llmbench.contracts.base import rfc3339
from llmbench.contracts.run_words import RunStatus
from llmbench.errors import FieldError, Problem
from llmbench.organisation import bound_actor
from orchestrator.experiments.domain.check import start_faults
from orchestrator.experiments.domain.metrics import PLAIN
from orchestrator.experiments.domain.records import Experiment
from orchestrator.experiments.domain.states import EXPERIMENT, ExperimentMoves
from orchestrator.experiments.handlers.experiments import Experiments
from orchestrator.experiments.handlers.go_on import status_changed
from orchestrator.experiments.handlers.manage import no_experiment
from orchestrator.experiments.handlers.plan import Planning, planned_sample
from orchestrator.experiments.ports.reading import ExperimentReader
from orchestrator.experiments.ports.result_schemas import LookOut
from orchestrator.experiments.ports.rounds import ExperimentTransaction, RoundStore
from orchestrator.experiments.ports.store import ExperimentStore
from orchestrator.kernel.domain.refusal import invalid
from orchestrator.kernel.domain.transitions import after, allows
from orchestrator.runs.handlers import commands, orders
from orchestrator.runs.handlers.commands import CommandParts
from orchestrator.runs.handlers.create_run import check_run

NO_WINNER = "no_winner"


@dataclass(frozen=True)
class ControlParts:
    """The dependencies of this module's functions, created when the service starts."""

    store: ExperimentStore
    rounds: RoundStore
    reader: ExperimentReader
    runs: CommandParts
    experiments: Experiments
    planning: Planning


async def start(at: ControlParts, experiment: Experiment, *, now: datetime) -> None:
    """Start an experiment: check the run that its rounds would create, plan its sample, and shuffle its cases.

    Raises a `Problem`: 409 if the experiment was already started, 422 if something is missing or invalid, 503 if a
    service that checks the run does not answer. The checks after the first one that fails are not made.
    """
    _require(experiment, ExperimentMoves.START)
    if errors := start_faults(experiment.as_requested()):
        raise invalid(errors, "experiment")
    new = None
    if not experiment.outside:
        new = at.experiments.runs_of(experiment)
        with _fields_of_experiment():
            checked = await check_run(at.runs.factory, at.runs.directory, at.runs.catalogue, new)
        _require_metrics(experiment, [evaluator.slot for evaluator in checked.evaluators])
    async with at.rounds.lead(experiment.id) as work:
        work = _still(work, experiment, ExperimentMoves.START)
        order = [] if new is None else await work.cases()
        clusters = order[-1].cluster + 1 if order else 0
        if new is not None and clusters < 2:
            message = f"the sources have {clusters} independent cases: an experiment needs at least 2"
            raise invalid([FieldError("sources", message)], "experiment")
        if new is not None:
            with _fields_of_experiment():
                await work.require_prompts(new)
        await work.start(order, await planned_sample(at.planning, work.experiment, cases=len(order), clusters=clusters))
        await _move(work, ExperimentMoves.START, now)
    await at.experiments.lead(experiment.id)


async def pause(at: ControlParts, experiment: Experiment, *, now: datetime) -> None:
    """Pause a running experiment, and the run of its current round. A run that waits in the queue is cancelled, and
    created again when the experiment is resumed. Raises a 409 `Problem` if the experiment is not running."""
    _require(experiment, ExperimentMoves.PAUSE)
    async with at.rounds.lead(experiment.id) as work:
        await _move(
            _still(work, experiment, ExperimentMoves.PAUSE), ExperimentMoves.PAUSE, now, reason="paused by a user"
        )
    await at.experiments.lead(experiment.id)


async def resume(at: ControlParts, experiment: Experiment, *, now: datetime) -> None:
    """Resume a paused experiment. If the run of its current round is paused, resume the run first.

    Raises a 409 `Problem` if the experiment is not paused or has stopped by its rule, or if another run is active.
    """
    _require(experiment, ExperimentMoves.RESUME)
    if experiment.stop is not None:
        detail = (
            f"The experiment has stopped by its rule ({experiment.stop.rule}): {experiment.stop.sentence} Going on "
            "would make its error rates wrong. Conclude it, or create another experiment."
        )
        raise Problem(409, "The experiment has stopped", detail)
    for round_ in await at.store.rounds(experiment.id):
        if round_.open and round_.run_id is not None and round_.run_status in (RunStatus.PAUSING, RunStatus.PAUSED):
            await commands.give(at.runs, round_.run_id, orders.resume)
    async with at.rounds.lead(experiment.id) as work:
        await _move(_still(work, experiment, ExperimentMoves.RESUME), ExperimentMoves.RESUME, now)
    await at.experiments.lead(experiment.id)


async def conclude(at: ControlParts, experiment: Experiment, *, winner: str, notes: str | None, now: datetime) -> None:
    """Conclude the experiment. The run of a round that is still open is cancelled.

    Raises a `Problem`: 409 if the experiment is neither running nor paused, 422 for an unknown winner.
    """
    _require(experiment, ExperimentMoves.CONCLUDE)
    names = {str(variant.id): variant.name for variant in experiment.variants}
    if winner != NO_WINNER and winner not in names:
        listed = ", ".join(f"{id_} ({name})" for id_, name in names.items())
        raise invalid([FieldError("winner", f"is neither `no_winner` nor a variant: there is {listed}")], "conclusion")
    async with at.rounds.lead(experiment.id) as work:
        work = _still(work, experiment, ExperimentMoves.CONCLUDE)
        conclusion = _conclusion(await at.reader.last_look(experiment.id), winner, names.get(winner), notes, now)
        await work.conclude(conclusion)
        await _move(work, ExperimentMoves.CONCLUDE, now, winner=winner)
    await at.experiments.lead(experiment.id)


async def archive(at: ControlParts, experiment: Experiment, *, now: datetime) -> None:
    """Archive a concluded experiment. Raises a 409 `Problem` if it is not concluded."""
    _require(experiment, ExperimentMoves.ARCHIVE)
    async with at.rounds.lead(experiment.id) as work:
        await _move(_still(work, experiment, ExperimentMoves.ARCHIVE), ExperimentMoves.ARCHIVE, now)


async def _move(
    work: ExperimentTransaction,
    move: ExperimentMoves,
    now: datetime,
    *,
    reason: str | None = None,
    winner: str | None = None,
) -> None:
    status = after(EXPERIMENT, work.experiment.status, move)
    await work.set_status(status, reason=reason, now=now)
    await work.publish([status_changed(work.experiment, status, now, reason=reason, winner=winner)])


def _still(work: ExperimentTransaction | None, experiment: Experiment, move: ExperimentMoves) -> ExperimentTransaction:
    """Return the transaction if the state of the experiment, which is now locked, still allows `move`, such as a pause.
    Otherwise raise a `Problem`."""
    if work is None:
        raise no_experiment(experiment.id)
    _require(work.experiment, move)
    return work


def _require(experiment: Experiment, move: ExperimentMoves) -> None:
    if allows(EXPERIMENT, experiment.status, move):
        return
    allowed = [state for state in EXPERIMENT if allows(EXPERIMENT, state, move)]
    detail = (
        f"The experiment '{experiment.name}' is {experiment.status}; {move} works on one that is "
        f"{' or '.join(allowed)}.{_declared(experiment, move)}"
    )
    raise Problem(409, f"Cannot {move} this experiment", detail, extra={"experiment_status": experiment.status})


def _declared(experiment: Experiment, move: ExperimentMoves) -> str:
    """Return a description of the earlier conclusion, for a user who concludes an experiment a second time. The text is
    empty for any other command."""
    if move is not ExperimentMoves.CONCLUDE or experiment.conclusion is None:
        return ""
    winner = experiment.conclusion["winner_name"] or "no winner"
    return f" It was concluded with {winner} at {experiment.conclusion['declared_at']}; its notes may still change."


@contextmanager
def _fields_of_experiment() -> Iterator[None]:
    """Re-raise a `Problem` of the `with` block, with the field names of an experiment's request, not of a run's."""
    try:
        yield
    except Problem as problem:
        errors = [FieldError(_field(error.field), error.message) for error in problem.errors]
        raise Problem(
            problem.status, problem.title, problem.detail, slug=problem.slug, errors=errors, extra=problem.extra
        ) from None


def _field(of_run: str) -> str:
    """Return the field of an experiment's request that corresponds to a field of a run's request.

    >>> _field("targets.1.provider_id"), _field("collection_ids.0"), _field("judge.model")
    ('variants.1.config.model.provider_id', 'sources.collection_ids.0', 'judge.model')
    """
    head, _, rest = of_run.partition(".")
    if head in ("collection_ids", "dataset_version_ids"):
        return f"sources.{of_run}"
    if head == "cluster_by":
        return f"config.{of_run}"
    if head != "targets":
        return of_run
    index, _, field = rest.partition(".")
    names = {"provider_id": "model.provider_id", "model": "model.name", "params": "parameters"}
    first, dot, more = field.partition(".")
    return f"variants.{index}.config.{names.get(first, first)}{dot}{more}"


def _require_metrics(experiment: Experiment, slots: list[str]) -> None:
    """Raise a 422 `Problem` that names each metric of the experiment that no evaluator of its runs gives. `slots` are
    the names of these evaluators."""
    named = [("primary_metric", experiment.primary_metric)]
    named += [(f"guardrail_metrics.{index}", each.metric) for index, each in enumerate(experiment.guardrails)]
    there = ", ".join([*PLAIN, *slots])
    errors = [
        FieldError(field, f"no evaluator gives '{metric}': there is {there}")
        for field, metric in named
        if metric not in PLAIN and metric not in slots
    ]
    if errors:
        raise invalid(errors, "experiment")


def _conclusion(
    look: LookOut | None, winner: str, winner_name: str | None, notes: str | None, now: datetime
) -> Mapping[str, Any]:
    actor = bound_actor()
    analysis = None if look is None else look.analysis
    figures = None
    if analysis is not None:
        figures = next((each for each in analysis.comparisons if str(each.variant_id) == winner), None)
        figures = figures or next((each for each in analysis.comparisons if each.variant_id == analysis.best), None)
    return {
        "winner": winner,
        "winner_name": winner_name,
        "look": None if look is None else look.number,
        "confidence": None if figures is None else figures.level,
        "effect_size": None if figures is None else figures.effect_size,
        "p_value": None if figures is None else figures.p_value,
        "probability_of_improvement": None if figures is None else figures.probability_of_improvement,
        "notes": notes,
        "declared_at": rfc3339(now),
        "declared_by": None if actor is None else str(actor),
    }
