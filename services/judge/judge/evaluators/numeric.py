"""Numeric: the answer's number equals the reference's, within a tolerance."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints, model_validator

from judge.domain import lm_eval_profiles as lm_eval
from judge.domain.cannot_score import CannotScore
from judge.domain.extraction import Extraction
from judge.domain.final_number import read, read_list
from judge.domain.number_reading import NumberOptions, Reading
from judge.domain.numbers import Number
from judge.domain.numbers_of_text import all_numbers
from judge.domain.question_words import asks_for_a_count
from judge.domain.references import references
from judge.domain.same_number import NumberRules, in_own_unit, near, same
from judge.domain.simplified import plain as visible
from judge.domain.units import unit_asked
from judge.evaluators.base import Example, Params, by_program, scored
from judge.mathematics.process import BadExpression, require_expression, verify
from llmbench.confined.worker import WorkerUnavailable
from llmbench.contracts.answer_scored import Scored
from llmbench.contracts.case import Case
from llmbench.contracts.judge_answer import JudgeAnswer

Unit = Annotated[str, StringConstraints(min_length=1, max_length=20)]
Factor = Annotated[float, Field(gt=0)]


class NumericParams(Params):
    profile: Literal["default", "gsm8k", "gsm8k-strict", "math"] = Field(
        default="default",
        description="`default` reads an answer as a careful reader does. `gsm8k` and `gsm8k-strict` score exactly "
        "like lm-eval's filters flexible-extract and strict-match, for comparison with published "
        "figures. `math` compares expressions, sets and intervals in LaTeX with math-verify. A profile "
        "allows no other parameter.",
    )
    expected: float | None = Field(
        default=None, description="The correct number. Without it, the case's references are used."
    )
    abs_tolerance: float = Field(default=0, ge=0, description="The largest difference that passes.")
    rel_tolerance: float = Field(
        default=0,
        ge=0,
        le=1,
        description="The largest difference that passes, as a share of the expected number. The larger of both "
        "tolerances counts.",
    )
    which: Literal["answer", "last", "first", "only", "any"] = Field(
        default="answer",
        description='The number to compare if no marker (`####`, `\\boxed{}`, "the answer is") names it. `answer`: '
        "the one that answers the question, even if it comes first and reasons follow. `only`: an answer "
        "with several different numbers is wrong. `any`: one correct number is enough. The last two "
        "ignore markers.",
    )
    decimal: Literal["point", "comma"] = Field(
        default="point",
        description="The decimal sign in `1,234` and `1.234`. Unambiguous numbers (`1.234,5`, `12,50`) do not depend "
        "on it.",
    )
    units: dict[Unit, Factor] = Field(
        default_factory=dict,
        max_length=50,
        description='Units with their factors to the base unit: {"km": 1000, "m": 1, "%": 0.01}. Common units '
        "convert without it.",
    )
    unit_required: bool = Field(default=False, description="Ignore numbers without one of the units.")

    @model_validator(mode="after")
    def _profiles_stand_alone(self) -> "NumericParams":
        if self.profile != "default":
            others = {
                name: value
                for name, value in self.model_dump().items()
                if name != "profile" and value != type(self).model_fields[name].get_default(call_default_factory=True)
            }
            if others:
                raise ValueError(f"the profile {self.profile} takes no other parameter: leave {', '.join(others)} out")
        return self

    def options(self, question: str) -> NumberOptions:
        return NumberOptions(
            which=self.which if self.which in ("last", "first") else "answer",
            decimal_comma=self.decimal == "comma",
            units=self.own_units(),
            question=question,
        )

    def own_units(self) -> dict[str, Fraction]:
        return {unit: Fraction(repr(factor)) for unit, factor in self.units.items()}


def score(task: JudgeAnswer, params: NumericParams) -> Scored:
    if params.profile == "math":
        return _score_by_mathematics(task)
    if params.profile != "default":
        return _score_as_lm_eval(
            task, lm_eval.gsm8k_strict if params.profile == "gsm8k-strict" else lm_eval.gsm8k_flexible
        )
    known = () if params.expected is not None else _accepted(task.case)
    for reference in known:
        if _plainly(reference) == _plainly(task.answer):
            extraction = Extraction(
                answer=task.answer.strip()[:200],
                answer_rule="identical",
                reference=reference.strip()[:200],
                reference_rule="identical",
            )
            return scored(1, passed=True, reason="The answer is the reference.", extraction=extraction)
    all_expected = _expected_readings(task.case, known, params)
    options = params.options(task.case.question)
    rules = NumberRules(
        abs_tolerance=Fraction(repr(params.abs_tolerance)),
        rel_tolerance=Fraction(repr(params.rel_tolerance)),
        units=options.units or {},
        asked_unit=unit_asked(task.case.question),
        counted=asks_for_a_count(task.case.question),
    )
    answer = read(task.answer, options)
    expected, passed = all_expected[0], False
    for expected in all_expected:
        reading = read_list(task.answer, options) or answer if expected.shape == "list" else answer
        passed = _passes(task.answer, reading, expected, params, rules)
        if passed:
            answer = reading
            break
    else:
        expected = all_expected[0]
        answer = read_list(task.answer, options) or answer if expected.shape == "list" else answer
    extraction = Extraction(
        answer=answer.text, answer_rule=answer.rule, reference=expected.text, reference_rule=expected.rule
    )
    details: dict[str, Any] = {"expected": expected.text, "found": [number.text[:40] for number in answer.values[:10]]}
    margin = rules.margin(expected.values[0].value)
    failure = _failure(answer, params, task.answer, options)
    reason = failure or f"The answer says {answer.text}, expected is {expected.text}" + (
        f" ± {_shown(margin)}." if margin else "."
    )
    return scored(float(passed), passed=passed, reason=reason, extraction=extraction, **details)


def _failure(answer: Reading, params: NumericParams, text: str, options: NumberOptions) -> str | None:
    """Return the reason why the answer fails whatever the reference is, or `None` if it has to be compared."""
    if params.which == "only" and len({number.value for number in all_numbers(text, options)}) > 1:
        return "The answer has several numbers."
    if answer.values:
        return None
    return (
        "The answer leaves open which number it means." if answer.rule != "no number" else "The answer has no number."
    )


def _passes(text: str, answer: Reading, expected: Reading, params: NumericParams, rules: NumberRules) -> bool:
    if params.which in ("only", "any") and expected.shape == "number":
        found = all_numbers(text, params.options(""))
        found = [number for number in found if _has_unit(number, params)]
        checks = [near(number, expected.values[0], rules) for number in found]
        return any(checks) if params.which == "any" else bool(checks) and all(checks)
    if not all(_has_unit(number, params) for number in answer.values):
        return False
    if same(answer, expected, rules):
        return True
    return answer.rounded is not None and same(replace(answer, values=(answer.rounded,)), expected, rules)


def _has_unit(number: Number, params: NumericParams) -> bool:
    if not params.unit_required:
        return True
    own = params.own_units()
    if not own:
        return number.unit is not None or number.percent
    converted = in_own_unit(number, own)
    return converted is not None and converted.own_unit is not None


def _accepted(case: Case) -> tuple[str, ...]:
    """Return the references, without the excellent answer unless it is the only one. Raises `CannotScore` if none."""
    try:
        return references(case.model_copy(update={"excellent": None}))
    except CannotScore:
        return references(case)


def _expected_readings(case: Case, known: tuple[str, ...], params: NumericParams) -> list[Reading]:
    if params.expected is not None:
        value = Fraction(repr(params.expected))
        number = Number(value=value, text=_shown(value), start=0, end=0)
        return [Reading(shape="number", values=(number,), rule="expected")]
    options = params.options(case.question)
    readings = [(reference, read(reference, options)) for reference in known]
    sure = [reading for _, reading in readings if reading.shape != "none" and reading.sure]
    if sure:
        return sure
    reference, reading = readings[0]
    shown = " ".join(reference.split())
    shown = f"{shown[:120]}…" if len(shown) > 120 else shown
    if reading.shape == "none" and reading.rule == "no number":
        raise CannotScore(
            f"ambiguous reference: the reference of the case {case.task_id!r} has no number ({shown!r}). Give it one, "
            "or set `expected`."
        )
    raise CannotScore(
        f"ambiguous reference: the reference of the case {case.task_id!r} can be read in several ways ({shown!r}). "
        'Give it one value, or end it with "#### " and the value.'
    )


def check_reference(case: Case, params: NumericParams) -> None:
    """Raise `CannotScore` if no expected value can be read from the parameters or a reference of the case."""
    if params.profile == "math":
        _require_expression(case)
    elif params.profile == "default":
        _expected_readings(case, () if params.expected is not None else _accepted(case), params)
    else:
        for reference in _accepted(case):
            if any(char.isdecimal() for char in lm_eval.gsm8k_normal(reference)):
                return
        raise CannotScore(
            f'ambiguous reference: the reference of the case {case.task_id!r} has no number after its "#### ". '
            'End it with "#### " and the value.'
        )


def _score_as_lm_eval(task: JudgeAnswer, extract: Callable[[str], str]) -> Scored:
    check_reference(task.case, NumericParams(profile="gsm8k"))
    extracted = extract(task.answer)
    known = _accepted(task.case)
    expected = next(
        (reference for reference in known if lm_eval.gsm8k_normal(reference) == lm_eval.gsm8k_normal(extracted)),
        known[0],
    )
    passed = lm_eval.gsm8k_normal(extracted) == lm_eval.gsm8k_normal(expected)
    extraction = Extraction(
        answer=None if extracted == lm_eval.INVALID else extracted[:200],
        answer_rule="lm-eval strict-match" if extract is lm_eval.gsm8k_strict else "lm-eval flexible-extract",
        reference=lm_eval.gsm8k_normal(expected)[:200],
        reference_rule="marker:####" if "#### " in expected else "whole text",
    )
    reason = f"lm-eval reads {extracted[:100]}, expected is {extraction.reference}."
    return scored(float(passed), passed=passed, reason=reason, extraction=extraction)


def _score_by_mathematics(task: JudgeAnswer) -> Scored:
    try:
        result = verify(task.answer, _accepted(task.case))
    except BadExpression as error:
        raise _no_expression(task.case, error) from None
    except WorkerUnavailable as error:
        raise CannotScore(str(error)) from None
    extraction = Extraction(
        answer=result.answer,
        answer_rule=result.answer_rule,
        reference=result.reference,
        reference_rule=result.reference_rule,
    )
    reason = result.problem or f"The answer says {result.answer}, expected is {result.reference}."
    return scored(float(result.same), passed=result.same, reason=reason, extraction=extraction)


def _require_expression(case: Case) -> None:
    try:
        require_expression(_accepted(case))
    except BadExpression as error:
        raise _no_expression(case, error) from None
    except WorkerUnavailable as error:
        raise CannotScore(str(error)) from None


def _no_expression(case: Case, error: BadExpression) -> CannotScore:
    return CannotScore(
        f"ambiguous reference: the reference of the case {case.task_id!r} is no expression that can be compared "
        f"({error}). Write it in LaTeX, in \\boxed{{}} or alone."
    )


def _plainly(text: str) -> str:
    # Keep superscripts: 2¹⁰ must not become 210.
    return " ".join(visible(text).casefold().split())


def _shown(value: Fraction) -> str:
    try:
        return f"{float(value):.10g}"
    except OverflowError:
        return "a number too large to show"


EVALUATOR = by_program(
    kind="numeric",
    title="Number",
    description="The number in the answer equals the expected one, within an absolute or relative tolerance. "
    "Fractions, powers, percentages, separators, number words, lists, ranges and units are understood.",
    params=NumericParams,
    score=score,
    check_reference=check_reference,
    schema_version="4",
    examples=(
        Example(
            name="a marker beats position, on both sides",
            answer="48/2 = 24 in May.\n#### 72\n(Half of 48 is 24.)",
            case={"expected_output": "48/2 = <<48/2=24>>24\n48+24 = <<48+24=72>>72\n#### 72"},
            verdict={
                "outcome": "scored",
                "raw": 1.0,
                "passed": True,
                "details": {
                    "extraction": {
                        "answer": "72",
                        "answer_rule": "marker:####",
                        "reference": "72",
                        "reference_rule": "marker:####",
                    }
                },
            },
        ),
        Example(
            name="the result of a calculation counts",
            answer="17 + 25 makes 42.",
            case={"expected_output": "42"},
            verdict={"raw": 1.0, "passed": True},
        ),
        Example(
            name="the answer stands first, reasons follow",
            answer="72 clips. In April she sold 48, in May half of that, which is 24.",
            case={"expected_output": "72"},
            verdict={"raw": 1.0},
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
            name="5 miles are not 5 metres",
            answer="5 miles",
            case={"expected_output": "5 m"},
            verdict={"raw": 0.0},
        ),
        Example(
            name="a comma for a point",
            answer="1.234,5",
            params={"expected": 1234.5},
            verdict={"raw": 1.0},
        ),
        Example(
            name="several numbers where one is asked for",
            answer="41 or 42",
            params={"expected": 42, "which": "only"},
            verdict={"raw": 0.0, "passed": False},
        ),
        Example(
            name="two values left open are none",
            answer="It could be 41 or it could be 42.",
            params={"expected": 42},
            verdict={"raw": 0.0, "reason": "The answer leaves open which number it means."},
        ),
        Example(
            name="no number is wrong",
            answer="many",
            params={"expected": 42},
            verdict={"raw": 0.0, "reason": "The answer has no number."},
        ),
        Example(
            name="lm-eval's flexible-extract takes the last number",
            answer="72 clips. In April she sold 48.",
            params={"profile": "gsm8k"},
            case={"expected_output": "48+24 = 72\n#### 72"},
            verdict={"raw": 0.0},
        ),
        Example(
            name="no number to compare with is no score",
            answer="42",
            case={"excellent": "many"},
            verdict={"outcome": "errored"},
        ),
        Example(
            name="a reference that can be read in two ways is no score",
            answer="42",
            case={"excellent": "Either 41 or 42"},
            verdict={"outcome": "errored"},
        ),
    ),
)
