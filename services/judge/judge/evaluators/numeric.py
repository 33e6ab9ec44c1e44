"""Numeric: the answer's number is the reference's, within a tolerance."""

from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from judge.domain.cannot_score import CannotScore
from judge.domain.numbers import Number, numbers
from judge.domain.references import references
from judge.evaluators.base import Example, Params, by_program, scored
from llmbench.contracts.answer_scored import Scored
from llmbench.contracts.judge_answer import JudgeAnswer

Unit = Annotated[str, StringConstraints(min_length=1, max_length=20)]
Factor = Annotated[float, Field(gt=0)]


class NumericParams(Params):
    expected: float | None = Field(
        default=None, description="The right number. Without it, the first number of the case's references."
    )
    abs_tolerance: float = Field(default=0, ge=0, description="How far off the answer may be.")
    rel_tolerance: float = Field(
        default=0, ge=0, le=1, description="How far off as a share of the expected number; the wider of both counts."
    )
    which: Literal["last", "first", "only", "any"] = Field(
        default="last",
        description="Which number of the answer is meant. `only`: an answer with several different ones is wrong.",
    )
    decimal: Literal["point", "comma"] = Field(
        default="point", description="What stands before a fraction; the other one separates thousands."
    )
    units: dict[Unit, Factor] = Field(
        default_factory=dict,
        max_length=50,
        description='Units and what they come to in the base unit: {"km": 1000, "m": 1, "%": 0.01}.',
    )
    unit_required: bool = Field(default=False, description="A number without one of the units does not count.")


def score(task: JudgeAnswer, params: NumericParams) -> Scored:
    right = _expected(task, params)
    found = _numbers(task.answer, params)
    if params.unit_required:
        found = [number for number in found if number.unit]
    chosen = {"last": found[-1:], "first": found[:1]}.get(params.which, found)
    margin = max(Fraction(repr(params.abs_tolerance)), Fraction(repr(params.rel_tolerance)) * abs(right))
    near = [abs(number.value - right) <= margin for number in chosen]
    passed = bool(near) and (any(near) if params.which == "any" else all(near))
    details: dict[str, Any] = {"expected": _shown(right), "found": [number.text.strip()[:40] for number in chosen[:10]]}
    if not found:
        return scored(0, passed=False, reason="The answer has no number.", **details)
    said = _shown(chosen[-1].value)
    if params.which == "only" and len({number.value for number in chosen}) > 1:
        said = "several numbers"
    reason = f"The answer says {said}, expected is {_shown(right)}" + (f" ± {_shown(margin)}." if margin else ".")
    return scored(float(passed), passed=passed, reason=reason, **details)


def _expected(task: JudgeAnswer, params: NumericParams) -> Fraction:
    if params.expected is not None:
        return Fraction(repr(params.expected))
    for reference in references(task.case):
        for number in _numbers(reference, params):
            return number.value
    raise CannotScore(
        f"The references of the case {task.case.task_id!r} have no number. Give them one, or set `expected`."
    )


def _numbers(text: str, params: NumericParams) -> list[Number]:
    units = {unit: Fraction(repr(factor)) for unit, factor in params.units.items()}
    return list(numbers(text, decimal_comma=params.decimal == "comma", units=units))


def _shown(value: Fraction) -> str:
    try:
        return f"{float(value):.10g}"
    except OverflowError:
        return "a number too large to show"


EVALUATOR = by_program(
    kind="numeric",
    title="Number",
    description="The number in the answer is the expected one, within an absolute or relative tolerance. Thousands "
    "separators, signs, exponents and units are understood.",
    params=NumericParams,
    score=score,
    examples=(
        Example(
            name="the last number counts",
            answer="17 + 25 makes 42.",
            case={"expected_output": "42"},
            verdict={"outcome": "scored", "raw": 1.0, "passed": True},
        ),
        Example(
            name="thousands, and a relative tolerance",
            answer="About 1,234,500 people",
            params={"expected": 1234567, "rel_tolerance": 0.001},
            verdict={"raw": 1.0},
        ),
        Example(
            name="just outside, without floating point's help",
            answer="0.4",
            params={"expected": 0.3, "abs_tolerance": 0.1},
            verdict={"raw": 1.0},
        ),
        Example(
            name="units are converted",
            answer="It is 1.5 km away",
            case={"expected_output": "1500 m"},
            params={"units": {"km": 1000, "m": 1}},
            verdict={"raw": 1.0},
        ),
        Example(
            name="a comma for a point",
            answer="1.234,5",
            params={"expected": 1234.5, "decimal": "comma"},
            verdict={"raw": 1.0},
        ),
        Example(
            name="several numbers where one is asked for",
            answer="41 or 42",
            params={"expected": 42, "which": "only"},
            verdict={"raw": 0.0, "passed": False},
        ),
        Example(
            name="no number is wrong",
            answer="many",
            params={"expected": 42},
            verdict={"raw": 0.0, "reason": "The answer has no number."},
        ),
        Example(
            name="no number to compare with is no score",
            answer="42",
            case={"excellent": "forty-two"},
            verdict={"outcome": "errored"},
        ),
    ),
)
