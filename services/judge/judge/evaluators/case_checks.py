"""Case checks: test an answer against the checks in the evaluator's parameters or, if there are none, the checks of its
case.

Each check is an evaluator that calls no judge. A nested set of checks is evaluated by this same evaluator, with the
nested checks as parameters.
"""

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Final

from pydantic import AfterValidator, ConfigDict, Field, field_validator

from judge.domain.cannot_score import CannotScore
from judge.evaluators.base import Ask, Evaluator, Example, Params, UnfitParams
from judge.evaluators.registry import evaluators, no_such
from llmbench.contracts.answer_scored import Scored, Verdict
from llmbench.contracts.case import Case
from llmbench.contracts.check import CASE_CHECKS, MAX_CHECKS, WITH_CHECKS, Check
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.thresholds import reaches

_DEEPEST: Final = 4
_SHOWN_CHARS: Final = 300


class StrictCheck(Check):
    model_config = ConfigDict(frozen=True, extra="forbid")


def _possible(check: StrictCheck) -> StrictCheck:
    problem = problem_of(check)
    if problem is not None:
        raise ValueError(problem)
    return check


class CaseChecksParams(Params):
    checks: tuple[Annotated[StrictCheck, AfterValidator(_possible)], ...] = Field(
        default=(),
        max_length=MAX_CHECKS,
        description="Checks for every case: each is an evaluator kind that uses no model, with `params`, `weight` "
        "and `negate`. Without them each case's own checks count, and only cases with checks are scored.",
    )
    pass_share: float | None = Field(
        default=None,
        ge=0,
        le=1,
        description="The lowest share that passes. Without it all checks have to pass.",
    )

    @field_validator("checks", mode="before")
    @classmethod
    def _few(cls, given: Any) -> Any:
        """Raise `ValueError` if there are too many checks, before any of them is validated. The checks inside a check
        of the kind `case_checks` count, too, because nesting multiplies their number."""
        if isinstance(given, list | tuple) and sum(1 for _ in _every(given, _DEEPEST)) > MAX_CHECKS:
            raise ValueError(f"there are more than {MAX_CHECKS} checks, those within sets included")
        return given


def _every(checks: Sequence[Any], deepest: int) -> Iterator[Any]:
    if deepest == 0:
        raise ValueError(f"sets of checks are nested more than {_DEEPEST} deep")
    for check in checks:
        yield check
        params = check.get("params") if isinstance(check, dict) else None
        within = params.get("checks") if isinstance(params, dict) and check.get("kind") == CASE_CHECKS else None
        if isinstance(within, list | tuple):
            yield from _every(within, deepest - 1)


def problem_of(check: Check) -> str | None:
    """Return the reason why a check is invalid, or `None`."""
    evaluator = evaluators().get(check.kind)
    if evaluator is None:
        return no_such(check.kind)
    try:
        facts = evaluator.facts(check.params)
    except UnfitParams as error:
        return "; ".join(
            f"{check.kind}: {problem.field}: {problem.message}" if problem.field else f"{check.kind}: {problem.message}"
            for problem in error.problems
        )
    if facts.needs_judge:
        return f"{check.kind} asks a model: name it as an evaluator of the run instead"
    if check.kind == CASE_CHECKS and not check.params.get("checks"):
        return f"{check.kind}: checks: a set of checks needs some"
    return None


async def score(task: JudgeAnswer, params: CaseChecksParams, ask: Ask) -> Verdict:
    checks: Sequence[Check] = params.checks or task.case.checks
    if not checks:
        raise CannotScore(f"The case {task.case.task_id!r} has no checks.")
    results = [await _result(task, check, ask, number=number) for number, check in enumerate(checks, start=1)]
    counted = [(check, result) for check, result in zip(checks, results, strict=True) if check.weight > 0]
    if not counted:
        raise CannotScore(f"Every check of the case {task.case.task_id!r} has the weight 0.")
    total = sum(check.weight for check, _ in counted)
    share = min(1.0, sum(check.weight * _counts(check, result) for check, result in counted) / total)
    passing = sum(result["passed"] is not False for _, result in counted)
    passed = passing == len(counted) if params.pass_share is None else reaches(share, params.pass_share)
    failed = next((result for _, result in counted if result["passed"] is False), None)
    sentence = f"{passing} of {len(counted)} checks pass."
    if failed is not None:
        sentence += f" {'not ' if failed['negate'] else ''}{failed['kind']}: {failed['reason']}"
    return Scored(
        raw=share,
        scale_min=0,
        scale_max=1,
        normalised=share,
        passed=passed,
        reason=sentence,
        details={"checks": results},
    )


def check_reference(case: Case, params: CaseChecksParams) -> None:
    """Raise `CannotScore` for the first check that cannot read the case's references. Invalid checks are skipped."""
    for number, check in enumerate(params.checks or case.checks, start=1):
        evaluator = evaluators().get(check.kind)
        if evaluator is None or evaluator.check_reference is None:
            continue
        try:
            evaluator.check_reference(case, evaluator.read(check.params))
        except UnfitParams:
            continue
        except CannotScore as error:
            raise CannotScore(f"Check {number} ({check.kind}): {error}") from None


def _counts(check: Check, result: dict[str, Any]) -> float:
    """Return a check's contribution to the score, before weighting: 1 for a pass, 0 for a fail.

    A nested set of checks contributes its score, and so does a check that neither passes nor fails.
    """
    if check.kind == CASE_CHECKS or result["passed"] is None:
        value: float = result["score"]
        return value
    return float(result["passed"])


async def _result(task: JudgeAnswer, check: Check, ask: Ask, *, number: int) -> dict[str, Any]:
    """Test the answer with one check, and return the check's result for the score's `details`.

    Raises `CannotScore` if the check cannot be evaluated; the message calls the check by its `number`.
    """
    problem = problem_of(check)
    if problem is not None:
        raise CannotScore(f"Check {number} is no check. {problem}")
    evaluator = evaluators()[check.kind]
    check_evaluator = task.evaluator.model_copy(
        update={"kind": check.kind, "params": check.params, "pass_threshold": None}
    )
    try:
        verdict = await evaluator.score(
            task.model_copy(update={"evaluator": check_evaluator}), evaluator.read(check.params), ask
        )
    except CannotScore as error:
        raise CannotScore(f"Check {number} ({check.kind}): {error}") from None
    if not isinstance(verdict, Scored):
        raise CannotScore(f"Check {number} ({check.kind}) gave no score.")
    passed = verdict.passed
    shown: dict[str, Any] = {
        "kind": check.kind,
        "params": check.params,
        "weight": check.weight,
        "negate": check.negate,
        "passed": passed is not check.negate if passed is not None else None,
        "score": 1 - verdict.normalised if check.negate else verdict.normalised,
        "reason": verdict.reason[:_SHOWN_CHARS],
    }
    if check.kind == CASE_CHECKS:
        shown["checks"] = verdict.details["checks"]
    return shown


_PARIS: Final = {"kind": "contains", "params": {"text": "Paris"}}
_LONDON: Final = {"kind": "contains", "params": {"text": "London"}, "negate": True}

EVALUATOR = Evaluator(
    kind=CASE_CHECKS,
    title="Checks of the case",
    description="Each case has its own checks of an answer. The score is the weighted share of checks that pass; an "
    "answer passes when all do. Cases without checks are not scored.",
    params=CaseChecksParams,
    score=score,
    needs_judge=False,
    schema_name=CASE_CHECKS,
    check_reference=check_reference,
    only=lambda params: None if params.checks else WITH_CHECKS,
    examples=(
        Example(
            name="all pass",
            answer="It is PARIS.",
            case={"checks": [_PARIS, _LONDON]},
            verdict={"outcome": "scored", "raw": 1.0, "passed": True, "reason": "2 of 2 checks pass."},
        ),
        Example(
            name="the weighted share",
            answer="Paris or London",
            case={"checks": [{**_PARIS, "weight": 3}, _LONDON]},
            verdict={
                "raw": 0.75,
                "passed": False,
                "reason": "1 of 2 checks pass. not contains: 1 of 1 texts is in the answer.",
            },
        ),
        Example(
            name="a weight of 0 does not count",
            answer="Paris or London",
            case={"checks": [_PARIS, {**_LONDON, "weight": 0}]},
            verdict={"raw": 1.0, "passed": True},
        ),
        Example(
            name="a set of checks passes from its own share",
            answer="Paris or London",
            case={"checks": [{"kind": CASE_CHECKS, "params": {"checks": [_PARIS, _LONDON], "pass_share": 0.5}}]},
            verdict={"raw": 0.5, "passed": True},
        ),
        Example(
            name="checks of the parameters go before the case's",
            answer="Paris",
            case={"checks": [_LONDON]},
            params={"checks": [{**_PARIS, "negate": True}]},
            verdict={"raw": 0.0, "passed": False},
        ),
        Example(
            name="a check that cannot be scored is no score",
            answer="Paris",
            case={"checks": [_PARIS, {"kind": "latency", "params": {"max_ms": 100}}]},
            verdict={"outcome": "errored"},
        ),
        Example(
            name="a check that asks a model is none",
            answer="Paris",
            case={"checks": [{"kind": "rubric"}]},
            verdict={"outcome": "errored"},
        ),
        Example(name="a case without checks is no score", answer="Paris", verdict={"outcome": "errored"}),
    ),
)
