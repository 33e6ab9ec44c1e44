"""Test that evaluators without a model agree with a careful human grader about answers as models write them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from judge_world import command

from judge.evaluators.base import Request
from judge.evaluators.registry import evaluators
from llmbench.contracts.answer_scored import Errored, Scored, Verdict

TABLE = json.loads((Path(__file__).parent / "careful_grader.json").read_text("utf-8"))
LETTERS = "ABCDEFGHIJ"


async def _never(part: str, request: Request, *, reuse: bool = False) -> Any:
    raise AssertionError("an evaluator by program asks no model")


async def _verdict(case: dict[str, Any], reference: str | None) -> Verdict:
    task = command()
    params = dict(case.get("params", {}))
    if "references" in case:
        params["texts" if case["kind"] in ("contains", "starts_with") else "references"] = case["references"]
    fields = {
        "excellent": None,
        "question": case.get("question", ""),
        "metadata": {"choices": case["options"]} if "options" in case else {},
        "expected_output": reference,
    }
    changes = {
        "evaluator": task.evaluator.model_copy(update={"kind": case["kind"], "params": params}),
        "case": task.case.model_copy(update=fields),
        "answer": case["answer"],
        "judge": None,
    }
    return await evaluators()[case["kind"]].evaluate(task.model_copy(update=changes), _never)


def _expected(case: dict[str, Any]) -> Iterator[tuple[str | None, Any]]:
    """Yield each reference of the case with the grade that the answer should get when it is compared with that
    reference."""
    if "reads" in case:
        for letter in LETTERS[: len(case.get("options", LETTERS))]:
            yield letter, "right" if case["reads"] == letter else "wrong"
    elif "grade" in case:
        yield None, case["grade"]
    for grade in ("right", "wrong", "ambiguous"):
        for reference in case.get(grade, ()):
            yield reference, grade


async def _faults(case: dict[str, Any]) -> list[str]:
    faults = []
    for reference, grade in _expected(case):
        verdict = await _verdict(case, reference)
        got: Any = "ambiguous" if isinstance(verdict, Errored) else "unparsed"
        read = None
        if isinstance(verdict, Errored):
            assert verdict.failure is not None
            assert verdict.failure.model_dump()["message"].startswith("ambiguous reference: ")
        elif isinstance(verdict, Scored):
            got = verdict.raw if isinstance(grade, int | float) else "right" if verdict.passed else "wrong"
            read = verdict.details.get("extraction", {}).get("answer")
        if got != (grade if isinstance(grade, str) else pytest.approx(grade, abs=1e-6)):
            faults.append(f"{reference!r}: {got}, but the grader says {grade}")
        if "reads" in case and read != case["reads"]:
            faults.append(f"{reference!r}: read {read!r}, but the grader reads {case['reads']!r}")
        if case.get("unreadable") and read is not None:
            faults.append(f"{reference!r}: read {read!r}, but the grader reads nothing")
    return faults


@pytest.mark.parametrize("case", TABLE["cases"], ids=lambda case: case["id"])
async def test_answer_gets_the_verdict_of_a_careful_human_grader(case: dict[str, Any]) -> None:
    assert await _faults(case) == [], case["answer"]


@pytest.mark.parametrize("case", TABLE["argued"], ids=lambda case: case["id"])
async def test_documented_disagreement_with_the_grader_still_exists(case: dict[str, Any]) -> None:
    assert case["argument"]
    assert await _faults(case)
