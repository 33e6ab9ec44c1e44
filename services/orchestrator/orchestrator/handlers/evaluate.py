"""POST /v1/evaluations: one output is scored at once, alone or beside the active run, or queued."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from llmbench.contracts.run_words import RunType
from llmbench.errors import Problem
from orchestrator.domain.new_run import Idempotency, Judge, NewEvaluator
from orchestrator.domain.placement import Active, Place, is_local, place
from orchestrator.domain.schedule import Model
from orchestrator.handlers.new_evaluation import (
    Asking,
    Checked,
    Created,
    answerer,
    checked_of,
    done_already,
    label,
    made_meanwhile,
    run_of,
    warnings,
)
from orchestrator.ports.evaluation_inputs import CreateEvaluation
from orchestrator.ports.evaluations import NewEvaluation, Outputs
from orchestrator.ports.store import ActiveRunExists, KeyTaken


async def evaluate(
    at: Asking, body: CreateEvaluation, outputs: Outputs, idempotency: Idempotency | None, *, now: datetime
) -> Created:
    """Starts at once, alone or beside the active run; one that does not want to wait for its scores is queued where
    that cannot be. Raises `Problem`: 422 naming each field at fault, 409 naming the active run."""
    done = await done_already(at, idempotency)
    if done is not None:
        return done
    checked = await checked_of(at, body)
    for _ in range(2):
        active = await at.factory.active()
        where = place(_local_judges(checked), active)
        if where == Place.TAKEN and body.config.sync:
            raise _another_model(active)
        try:
            new = _new(body, outputs, checked, idempotency, where, _kept(checked, active))
            return Created(await at.factory.evaluate(new, now))
        except ActiveRunExists:
            # Since we looked another run became active: this very request's, sent twice, or one of its model.
            if (done := await done_already(at, idempotency)) is not None:
                return done
        except KeyTaken:
            return await made_meanwhile(at, idempotency)
    raise _another_model(await at.factory.active())


def _new(
    body: CreateEvaluation,
    outputs: Outputs,
    checked: Checked,
    idempotency: Idempotency | None,
    where: Place,
    held: Mapping[Model, int],
) -> NewEvaluation:
    beside = where == Place.BESIDE
    kept = held if beside else {}
    run = run_of(body, checked, RunType.SINGLE, name=f"Evaluation of {label(body.metadata)}", idempotency=idempotency)
    return NewEvaluation(
        # Whoever does not wait for the scores waits for the place behind those who came before.
        run=replace(run, beside=beside, queued=not beside and not body.config.sync),
        evaluators=[_at_pace(one, kept) for one in checked.evaluators],
        providers=frozenset(checked.providers),
        warnings=warnings(body.metadata, checked),
        answerer=answerer(body.metadata),
        outputs=outputs,
        kept=frozenset(kept),
    )


def _models(checked: Checked) -> set[Model]:
    return {(one.provider_id, one.model) for one in checked.judges.values()}


def _local_judges(checked: Checked) -> set[Model]:
    return {model for model in _models(checked) if is_local(checked.providers[model[0]])}


def _kept(checked: Checked, active: Active | None) -> dict[Model, int]:
    """Those of its models that the active run has, with that run's pace: the two share a queue."""
    models = _models(checked)
    return {one.model: one.concurrency for one in (active.held if active else ()) if one.model in models}


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
