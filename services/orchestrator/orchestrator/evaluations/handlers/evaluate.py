"""POST /v1/evaluations: create the run that scores one output, and start or queue the run."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from llmbench.contracts.run_words import RunType
from llmbench.errors import Problem
from orchestrator.evaluations.domain.placement import Active, Place, place
from orchestrator.evaluations.domain.requested import RequestedEvaluation
from orchestrator.evaluations.handlers.new_evaluation import (
    Checked,
    Created,
    EvaluationDependencies,
    answerer,
    check_request,
    earlier_evaluation,
    label,
    run_of,
    simultaneous_evaluation,
    warnings,
)
from orchestrator.evaluations.ports.evaluations import NewEvaluation, Outputs
from orchestrator.kernel.domain.local_provider import is_local
from orchestrator.kernel.domain.new_run import Idempotency, Judge, NewEvaluator, NewRun
from orchestrator.runs.domain.schedule import Model
from orchestrator.runs.domain.self_judging import Warning
from orchestrator.runs.ports.store import ActiveRunExists, KeyTaken


async def evaluate(
    dependencies: EvaluationDependencies,
    requested: RequestedEvaluation,
    outputs: Outputs,
    idempotency: Idempotency | None,
    *,
    now: datetime,
) -> Created:
    """Create the run of the evaluation. A request with the idempotency key of an earlier one returns the earlier
    evaluation.

    If the local models of the evaluation allow it (see `place`), the run starts at once, next to the active run.
    Otherwise an asynchronous evaluation is queued. A synchronous one becomes the active run, or is refused with a 409
    `Problem` if another run is active.

    Also raises a `Problem`: 422 if a field is invalid, 409 if a provider was deleted meanwhile, 503 if a service that
    checks the request does not answer.
    """
    earlier = await earlier_evaluation(dependencies, idempotency)
    if earlier is not None:
        return earlier
    checked = await check_request(dependencies, requested)
    name = f"Evaluation of {label(requested.described)}"
    run = run_of(requested, checked, RunType.SINGLE, name=name, idempotency=idempotency)
    warned = await warnings(dependencies, requested.described, checked, run, outputs)
    for _ in range(2):
        active = await dependencies.factory.active()
        where = place(_local_judges(checked, dependencies.hosted), active)
        if where == Place.TAKEN and requested.sync:
            raise _another_model(active)
        try:
            new = _new(requested, outputs, checked, run, warned, where, _kept(checked, active))
            return Created(await dependencies.factory.evaluate(new, now))
        except ActiveRunExists:
            # Another run has become active. Unless the same request has created it, decide once more when to run.
            if (earlier := await earlier_evaluation(dependencies, idempotency)) is not None:
                return earlier
        except KeyTaken:
            return await simultaneous_evaluation(dependencies, idempotency)
    raise _another_model(await dependencies.factory.active())


def _new(
    requested: RequestedEvaluation,
    outputs: Outputs,
    checked: Checked,
    run: NewRun,
    warned: Sequence[Warning],
    where: Place,
    held: Mapping[Model, int],
) -> NewEvaluation:
    concurrent = where == Place.CONCURRENT
    kept = held if concurrent else {}
    return NewEvaluation(
        # Asynchronous requests queue behind the active run.
        run=replace(run, concurrent=concurrent, queued=not concurrent and not requested.sync),
        evaluators=[_at_pace(evaluator, kept) for evaluator in checked.evaluators],
        providers=frozenset(checked.providers),
        warnings=warned,
        answerer=answerer(requested.described),
        outputs=outputs,
        kept=frozenset(kept),
    )


def _models(checked: Checked) -> set[Model]:
    return {(judge.provider_id, judge.model) for judge in checked.judges.values()}


def _local_judges(checked: Checked, hosted: frozenset[str]) -> set[Model]:
    return {model for model in _models(checked) if is_local(checked.providers[model[0]], hosted=hosted)}


def _kept(checked: Checked, active: Active | None) -> dict[Model, int]:
    """Return the judges' models that the active run uses as well, each with that run's concurrency. Both runs share the
    lane (the queue of calls) of such a model, so its concurrency must not change."""
    models = _models(checked)
    return {model.model: model.concurrency for model in (active.held if active else ()) if model.model in models}


def _at_pace(evaluator: NewEvaluator, kept: Mapping[Model, int]) -> NewEvaluator:
    def paced(judge: Judge) -> Judge:
        return replace(judge, concurrency=kept.get((judge.provider_id, judge.model), judge.concurrency))

    panel = evaluator.panel
    return replace(
        evaluator,
        judge=paced(evaluator.judge) if evaluator.judge else None,
        panel=replace(panel, judges=tuple(map(paced, panel.judges))) if panel else None,
        members=tuple(_at_pace(member, kept) for member in evaluator.members),
    )


def _another_model(active: Active | None) -> Problem:
    holder = (
        f"'{active.name}' is active, and holds another local model"
        if active
        else "Another run became active at the same moment"
    )
    return Problem(
        409,
        "Another local model is loaded",
        f"{holder}. Wait for its end, or send config.sync false: the evaluation is queued then.",
    )
