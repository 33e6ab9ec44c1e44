# ruff: noqa: RUF001  # digits and signs of many scripts
"""Test the extraction of final answers from a model's free text. The scores must equal those of a careful human grader
or, with a profile of lm-eval, the scores of lm-eval."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from judge_world import command

from judge.domain.final_number import read
from judge.domain.number_reading import NumberOptions
from judge.domain.plain_text import plain
from judge.evaluators.base import Request, UnfitParams
from judge.evaluators.registry import evaluators
from judge.handlers.check_references import check_references
from judge.mathematics.process import MAX_PROCESSOR_S, new_worker, verify
from llmbench.confined.worker import PATIENCE_S, Worker
from llmbench.contracts.answer_scored import Errored, Scored, Verdict
from llmbench.contracts.case import GroundTruth
from llmbench.contracts.check import Check
from llmbench.contracts.check_references import CheckReferences

HERE = Path(__file__).parent
CASES = json.loads((HERE / "extraction.json").read_text("utf-8"))
ACCEPTED = json.loads((HERE / "accepted_answers.json").read_text("utf-8"))["own"]
LM_EVAL = json.loads((HERE / "lm_eval_vectors.json").read_text("utf-8"))
ROWS = {row["row"]: row for row in LM_EVAL["mmlu_rows"]}


async def _never(part: str, request: Request, *, reuse: bool = False) -> Any:
    raise AssertionError("an evaluator by program asks no model")


async def _verdict(kind: str, answer: str, *, params: dict[str, Any] | None = None, **case: Any) -> Verdict:
    task = command()
    fields = {"excellent": None, "question": "", "metadata": {}} | case
    evaluator = task.evaluator.model_copy(update={"kind": kind, "params": params or {}})
    task = task.model_copy(
        update={
            "evaluator": evaluator,
            "case": task.case.model_copy(update=fields),
            "answer": answer,
            "judge": None,
        }
    )
    return await evaluators()[kind].evaluate(task, _never)


@pytest.mark.parametrize("case", ACCEPTED, ids=lambda case: case["id"])
async def test_answer_is_compared_with_accepted_answers_as_by_a_careful_grader(case: dict[str, Any]) -> None:
    is_exact = case["family"] == "exact"
    verdict = await _verdict(
        "exact_match" if is_exact else "squad_f1",
        case["answer_text"],
        params={"references": case["reference"]} | ({"profile": "squad"} if is_exact else {}),
    )
    assert isinstance(verdict, Scored)
    assert verdict.raw == pytest.approx(float(case["expected"]), abs=1e-6)


@pytest.mark.parametrize("case", [*CASES["given"], *CASES["own"]], ids=lambda case: case["id"])
async def test_extracted_answer_is_scored_as_by_a_careful_grader(case: dict[str, Any]) -> None:
    params: dict[str, Any] = {"profile": "math"} if case["family"] == "math" else {}
    if "tolerance" in case:
        params["abs_tolerance"] = case["tolerance"]
    verdict = await _verdict(
        "multiple_choice" if case["family"] == "mmlu" else "numeric",
        case["answer_text"],
        params=params,
        question=case.get("question", ""),
        expected_output=case["reference"],
        metadata={"choices": case["options"]} if "options" in case else {},
    )
    assert isinstance(verdict, Scored)
    assert verdict.passed is case["expected"]
    extraction = verdict.details["extraction"]
    assert extraction["reference"], "what the reference was read as is shown"
    assert extraction["answer_rule"]
    assert extraction["answer"] or not case["expected"]


@pytest.mark.parametrize(
    "case", [one for one in CASES["given"] if one["family"] == "mmlu"], ids=lambda case: case["id"]
)
async def test_options_parameter_works_like_the_choices_of_the_case(case: dict[str, Any]) -> None:
    verdict = await _verdict(
        "multiple_choice",
        case["answer_text"],
        params={"options": case["options"]},
        question=case["question"],
        expected_output=case["reference"],
    )
    assert isinstance(verdict, Scored)
    assert verdict.passed is case["expected"]


@pytest.mark.parametrize(("profile", "filter_name"), [("gsm8k-strict", "strict"), ("gsm8k", "flexible")])
async def test_gsm8k_profiles_score_like_lm_eval(profile: str, filter_name: str) -> None:
    for vector in LM_EVAL["gsm8k"]:
        verdict = await _verdict(
            "numeric", vector["answer"], params={"profile": profile}, expected_output=vector["reference"]
        )
        assert isinstance(verdict, Scored)
        theirs = vector[filter_name]
        assert verdict.passed is theirs["verdict"], vector
        read_as = verdict.details["extraction"]["answer"]
        assert read_as == (None if theirs["extracted"] == "[invalid]" else theirs["extracted"])


# lm-eval removes the operators before it compares, so it wrongly accepts "(L • H) ∨ I" for "(L • H) ≡ I".
_LM_EVAL_IS_WRONG = {"(L • H) ∨ I"}


@pytest.mark.parametrize("filter_name", ["few-shot", "flan-cot", "generative"])
async def test_mmlu_profiles_score_like_lm_eval(filter_name: str) -> None:
    """Each profile must give the scores of lm-eval. The profile `mmlu` is compared with each of lm-eval's filters;
    `mmlu-flan-cot` and `mmlu-generative` are compared with the filter of their name."""
    vectors = [candidate for candidate in LM_EVAL["mmlu"] if candidate["filter"] == filter_name]
    assert vectors
    profiles = ["mmlu", *{"flan-cot": ["mmlu-flan-cot"], "generative": ["mmlu-generative"]}.get(filter_name, [])]
    for vector in vectors:
        row = ROWS[vector["row"]]
        for profile in profiles:
            if profile == "mmlu" and vector["answer"] in _LM_EVAL_IS_WRONG:
                continue
            verdict = await _verdict(
                "multiple_choice",
                vector["answer"],
                params={"profile": profile},
                question=row["question"],
                expected_output="ABCD"[row["index"]],
                metadata={"choices": row["choices"]},
            )
            assert isinstance(verdict, Scored)
            assert verdict.passed is vector["verdict"], (profile, vector)


@pytest.mark.parametrize(
    "text", ["1/2", "\\frac{3}{4}", "2^10", "3.5 × 10^8", "3 1/2", "2024-05-03", "10,20,30", "16:9"]
)
async def test_text_identical_to_the_reference_passes(text: str) -> None:
    verdict = await _verdict("numeric", text, expected_output=text)
    assert isinstance(verdict, Scored)
    assert verdict.passed
    assert verdict.details["extraction"]["answer_rule"] == "identical"


async def test_identical_text_passes_even_if_the_reference_is_ambiguous() -> None:
    for kind, params, text in (
        ("numeric", {}, "Either 16 or 18"),
        ("numeric", {"profile": "math"}, "$\\{x \\mid x > ?"),
        ("multiple_choice", {}, "none of these, I suppose"),
    ):
        verdict = await _verdict(kind, f" {text}\n", params=params, expected_output=text)
        assert isinstance(verdict, Scored), kind
        assert verdict.passed
        assert verdict.details["extraction"]["answer_rule"] == "identical"
        verdict = await _verdict(kind, "18", params=params, expected_output=text)
        assert isinstance(verdict, Errored), kind


@pytest.mark.parametrize(
    ("answer", "reference", "right"),
    [
        ("0.5", "1/2", True),
        ("The answer is 3/4.", "\\frac{3}{4}", True),
        ("1024", "2^10", True),
        ("350,000,000", "3.5 × 10^8", True),
        ("3.5", "3 1/2", True),
        ("10", "10,20,30", False),
        ("30, 10 and 20", "10,20,30", True),
        ("5 miles", "5 m", False),
        ("5", "5 m", True),
        ("5 metres", "5 m", True),
        ("500 cm", "5 m", True),
        ("70", "70.0", True),
        ("9^9^9^9", "5", False),
        ("$5", "€5", False),
        ("1.5 hours", "90 minutes", True),
    ],
)
async def test_numbers_are_compared_by_value(answer: str, reference: str, right: bool) -> None:
    verdict = await _verdict("numeric", answer, expected_output=reference)
    assert isinstance(verdict, Scored)
    assert verdict.passed is right


async def test_other_unit_is_not_taken_for_the_parameters_unit() -> None:
    for answer, right in (("5 miles", False), ("5 metres", True), ("5 m", True), ("0.005 km", True), ("5", True)):
        verdict = await _verdict("numeric", answer, params={"expected": 5, "units": {"m": 1}})
        assert isinstance(verdict, Scored)
        assert verdict.passed is right, answer


@pytest.mark.parametrize(
    "reference", ["Either 16 or 18", "There were 48 in April and some 24 more came in May", "between friends", "n/a"]
)
async def test_ambiguous_reference_is_an_error_and_reported_before_the_run(reference: str) -> None:
    verdict = await _verdict("numeric", "18", expected_output=reference)
    assert isinstance(verdict, Errored)
    message = verdict.failure.message  # type: ignore[union-attr]
    assert message.startswith("ambiguous reference: ")
    case = command().case.model_copy(update={"excellent": None, "expected_output": reference})
    reply = check_references(CheckReferences(kind="numeric", cases=(case,)))
    assert (reply.checked, [problem.task_id for problem in reply.problems]) == (1, [case.task_id])
    assert "ambiguous reference: " in reply.problems[0].message


def test_readable_references_are_no_problem() -> None:
    case = command().case.model_copy(update={"excellent": "17 + 25 = 42"})
    for kind, checked in (("numeric", 1), ("contains", 0), ("no such", 0)):
        assert check_references(CheckReferences(kind=kind, cases=(case,))).checked == checked
    assert not check_references(CheckReferences(kind="numeric", cases=(case,))).problems
    assert check_references(CheckReferences(kind="multiple_choice", cases=(case,))).problems
    assert check_references(CheckReferences(kind="numeric", params={"which": "?"}, cases=(case,))).checked == 0


def test_math_profile_requires_references_that_are_expressions() -> None:
    case = command().case
    cases = tuple(
        case.model_copy(update={"excellent": None, "expected_output": reference, "task_id": reference})
        for reference in (r"\boxed{\frac{1}{2}}", "$$", r"$\{1, 2\}$", "9^{9^{9^9}}")
    )
    reply = check_references(CheckReferences(kind="numeric", params={"profile": "math"}, cases=cases))
    assert (reply.checked, [problem.task_id for problem in reply.problems]) == (4, ["$$", "9^{9^{9^9}}"])
    assert reply.problems[0].message.startswith("ambiguous reference: ")
    several = case.model_copy(update={"excellent": None, "ground_truth": GroundTruth(acceptable_answers=("$$", "$7$"))})
    assert not check_references(CheckReferences(kind="numeric", params={"profile": "math"}, cases=(several,))).problems


def test_references_are_checked_for_the_checks_of_a_case() -> None:
    case = command().case.model_copy(update={"excellent": None, "expected_output": "many"})
    checks = (Check(kind="contains", params={"text": "4"}), Check(kind="numeric"))
    nested = (Check(kind="case_checks", params={"checks": [{"kind": "numeric"}]}),)
    cases = [case.model_copy(update={"checks": each}) for each in (checks, checks[:1], nested, ())]
    reply = check_references(CheckReferences(kind="case_checks", cases=tuple(cases)))
    assert (reply.checked, len(reply.problems)) == (4, 2)
    assert reply.problems[0].message.startswith("Check 2 (numeric): ambiguous reference: ")
    assert reply.problems[1].message.startswith("Check 1 (case_checks): Check 1 (numeric): ambiguous reference: ")
    own = CheckReferences(kind="case_checks", params={"checks": [{"kind": "numeric"}]}, cases=(case,))
    assert len(check_references(own).problems) == 1


@pytest.mark.parametrize("profile", ["gsm8k", "gsm8k-strict", "math"])
def test_profile_accepts_no_other_parameter(profile: str) -> None:
    numeric = evaluators()["numeric"]
    facts = numeric.facts({"profile": profile})
    assert numeric.facts(facts.params) == facts
    with pytest.raises(UnfitParams, match="takes no other parameter: leave abs_tolerance out"):
        numeric.read({"profile": profile, "abs_tolerance": 1})


@pytest.fixture
def worker() -> Iterator[Worker]:
    """Yield a process that may use a third of the usual CPU time, because a test of an endless expression uses all of
    it."""
    worker = new_worker(processor_s=MAX_PROCESSOR_S / 3)
    yield worker
    worker.close()


def test_endless_expression_is_given_up_and_the_next_one_compared(worker: Worker) -> None:
    """Expressions are compared in a separate process. A limit on its CPU time or memory ends this process long before
    the wall-clock limit, and the next expression gets a new process."""
    start = time.process_time()
    hostile = verify("$\\boxed{9^{9^{9^{9}}}}$", ["5"], worker)
    assert not hostile.same
    assert verify("$\\boxed{\\frac{10}{2}}$", ["5"], worker).same
    assert time.process_time() - start < 2, "this process does none of the work"
    assert MAX_PROCESSOR_S * 3 < PATIENCE_S


@pytest.mark.parametrize("later", ["$\\boxed{9^{9^{9^{9}}}}$", "The power is \\boxed{9^{9^{9^{9}}} }."])
def test_endless_expression_is_right_if_a_later_reference_is_identical(worker: Worker, later: str) -> None:
    compared = verify("$\\boxed{9^{9^{9^{9}}}}$", ["5", later], worker)
    assert (compared.same, compared.problem) == (True, None)


async def test_reference_that_cannot_be_evaluated_is_an_error() -> None:
    verdict = await _verdict("numeric", "$5$", params={"profile": "math"}, expected_output="9^{9^{9^9}}")
    assert isinstance(verdict, Errored)
    assert verdict.failure.message.startswith("ambiguous reference: ")  # type: ignore[union-attr]


async def test_unicode_minus_is_read_as_a_minus_by_the_math_profile() -> None:
    verdict = await _verdict("numeric", "The answer is \u22127.", params={"profile": "math"}, expected_output="-7")
    assert isinstance(verdict, Scored)
    assert verdict.passed


LONG = 100_000
LIMIT_S = 25
"""The limit on CPU time for `LONG` characters. The longest answer has twice as many, for which a quadratic algorithm
takes four times as long.

Answers of almost 200,000 characters are scored in test_judge_programs.py, by these evaluators too.
"""
PATHOLOGICAL = {
    "fractions": "½" * 200_000,
    "ranges": "1 to " * 40_000,
    "boxes": "\\boxed{" * 28_000,
    "full boxes": "\\boxed{1}" * 22_000,
    "open fractions": "\\frac{1" * 28_000,
    "markers": "the answer is " * 14_000,
    "hashes": "#### " * 40_000,
    "keys": '"answer":' * 22_000,
    "thoughts": "<think>" * 28_000,
    "brackets": "(1" * 100_000,
    "dollars": "$a" * 100_000,
    "towers": "9^" * 100_000,
    "number words": "one and " * 25_000,
    "alternatives": "1 or " * 40_000,
    "equations": "1 = " * 50_000,
    "corrections": "wait " * 40_000,
    "conclusions": "so 1, " * 33_000,
    "predicates": "A is correct. " * 14_000,
    "choices": "A or " * 40_000,
    "lines": "A) x\n" * 40_000,
    "clocks": "12:30:" * 33_000,
    "dates": "1/2/" * 50_000,
    "programs": "```python\n1 " * 16_000,
    "signs": "is minus 7, " * 17_000,
    "below zero": "5 degrees below " * 12_000,
    "chances": "1 in 4 " * 28_000,
    "restated": "1/3 ≈ 0.333, " * 15_000,
    "points": "five point five " * 12_000,
    "denials": "Not A, but B. " * 14_000,
    "but": "but B but " * 20_000,
    "judged": "A: no\n" * 30_000,
    "judged on one line": "A: " + "no " * 66_000,
    "prime": "A and B are prime. " * 10_000,
    "listed": "- A\n" * 50_000,
    "option texts": "Rome and " * 22_000,
    "option texts denied": "Rome is not, " * 15_000,
    "letters in a row": "A, " * 66_000,
    "spaces": "A" + " " * 199_000,
    "vulgar": "-½ " * 66_000,
    "names": "Apollo 11 landed " * 11_000,
    "periods": "daily 1 a week, or 2 a day; " * 7_000,
    "ranges on the way": "25, from 8 to 9, " * 11_000,
    "both signs": "x = ±" + "2" * 190_000,
}


@pytest.mark.parametrize("text", PATHOLOGICAL.values(), ids=PATHOLOGICAL)
@pytest.mark.parametrize(
    ("kind", "params"),
    [
        ("numeric", {"expected": 42}),
        ("numeric", {"expected": 42, "which": "any"}),
        ("numeric", {"profile": "gsm8k"}),
        ("multiple_choice", {"expected": "B", "options": ["Rome", "1 or 1", "a b c", "x"]}),
        ("multiple_choice", {"profile": "mmlu-flan-cot", "expected": "B", "options": ["Rome", "1 or 1"]}),
    ],
)
async def test_adversarial_answer_is_extracted_within_the_time_limit(
    kind: str, params: dict[str, Any], text: str
) -> None:
    """Extraction takes linear time, so it stays within the limit. A quadratic algorithm would take far longer."""
    start = time.process_time()
    await _verdict(kind, text[:LONG], params=params, expected_output="#### 42", question=text[:LONG])
    assert time.process_time() - start < LIMIT_S


def test_markdown_headings_are_not_answer_markers() -> None:
    reading = read("#### Step 1\nShe has 5.\n#### 2. Add them\n5 + 7 = 12", NumberOptions())
    assert (reading.text, reading.rule) == ("12", "result")


def test_thousands_separators_of_latex_and_unicode_are_read() -> None:
    for text in ("10{,}080", "10\\,080", "10\u202f080", "$10,080$", "１０，０８０"):
        assert read(text, NumberOptions()).values[0].value == 10_080, plain(text)
