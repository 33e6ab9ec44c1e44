"""POST /api/judge-checks: create the run in which the judge scores the cases, and queue it.

The answers exist already, so the run is an evaluation (docs/decisions/0014) of the type JUDGE_CHECK. Its calls go
through the gateway, and each is stored and paid for once. It can be paused, limited in its cost, and opened like any
other run.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from uuid import UUID

from llmbench.contracts.run_words import RunType
from llmbench.errors import FieldError
from llmbench.ids import new_id
from orchestrator.evaluations.domain.evaluation import Answerer, GivenAnswer
from orchestrator.evaluations.domain.requested import Described, JudgeRequest, Requested
from orchestrator.evaluations.handlers.new_evaluation import (
    EvaluationDependencies,
    check_request,
    earlier_evaluation,
    run_of,
    simultaneous_evaluation,
)
from orchestrator.evaluations.ports.evaluations import NewEvaluation, Outputs
from orchestrator.judges.domain.cases import CHECK, KIND, PAIR, SINGLE, CheckCase, case_problems, digest_of
from orchestrator.kernel.domain.limits import Limits
from orchestrator.kernel.domain.new_run import EvaluatorChoice, Idempotency
from orchestrator.kernel.domain.refusal import invalid
from orchestrator.runs.ports.store import KeyTaken

PROMPT_BY_KIND: Final = {PAIR: "pairwise", SINGLE: "rubric"}
_PARALLEL: Final = 8
_MOST_FAULTS: Final = 100


@dataclass(frozen=True)
class RequestedCheck:
    judge: JudgeRequest
    name: str | None
    set_name: str
    built_in: bool
    cases: Sequence[CheckCase]
    repeats: int
    timeout_s: float
    max_cost_usd: float | None
    check_providers: bool


async def start_check(
    dependencies: EvaluationDependencies, requested: RequestedCheck, idempotency: Idempotency | None, *, now: datetime
) -> UUID:
    """Create the check and return the id of its run; for a repeated idempotency key, the id of the earlier run.

    Raises a `Problem`: 422 that names each case or field at fault, 503 if a service that has to check the request does
    not answer.
    """
    earlier = await earlier_evaluation(dependencies, idempotency)
    if earlier is not None:
        return earlier.run_id
    problems = case_problems(requested.cases)
    if problems:
        faults = [
            FieldError(f"set.cases.{place}.{field}", message) for place, field, message in problems[:_MOST_FAULTS]
        ]
        raise invalid(faults, "judge check")
    evaluation = _evaluation(requested)
    checked = await check_request(dependencies, evaluation)
    name = requested.name or f"Judge check of {requested.judge.model} on {requested.set_name}"
    run = run_of(evaluation, checked, RunType.JUDGE_CHECK, name=name, idempotency=idempotency)
    described = {
        "set": requested.set_name,
        "digest": digest_of(requested.cases),
        "built_in": requested.built_in,
        "cases": len(requested.cases),
        "repeats": requested.repeats,
    }
    new = NewEvaluation(
        run=replace(run, queued=True, evaluation={**(run.evaluation or {}), CHECK: described}),
        evaluators=checked.evaluators,
        providers=frozenset(checked.providers),
        warnings=[],
        answerer=Answerer("prepared answers", requested.set_name[:120], "given"),
        outputs=Outputs(
            given=[GivenAnswer(case.case(new_id()), case.first) for case in requested.cases],
            digests=[case.digest() for case in requested.cases],
        ),
        epochs=requested.repeats,
    )
    try:
        return await dependencies.factory.evaluate(new, now)
    except KeyTaken:
        return (await simultaneous_evaluation(dependencies, idempotency)).run_id


def _evaluation(requested: RequestedCheck) -> Requested:
    kinds = [kind for kind in (PAIR, SINGLE) if any(case.kind == kind for case in requested.cases)]
    return Requested(
        metrics=(),
        custom_rubrics={},
        evaluators=[
            EvaluatorChoice(
                PROMPT_BY_KIND[kind],
                place="cases",
                judge=None,
                judge_place="judge",
                judge_shared=True,
                limits=Limits(only={"metadata": {KIND: kind}}),
            )
            for kind in kinds
        ],
        judge=requested.judge,
        evaluator_model="",
        usual_judge_params=requested.judge.params,
        parallelism=requested.judge.concurrency or _PARALLEL,
        check_providers=requested.check_providers,
        timeout_s=requested.timeout_s,
        max_cost_usd=requested.max_cost_usd,
        described=Described(None, None, None, {}),
    )
