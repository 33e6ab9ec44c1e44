"""Test the shipped suites: the suites are valid, and the evaluators of each case pass its right answer and fail its
wrong answer.
"""

from collections import Counter
from typing import Any

import pytest
from judge_world import command

from config_api.suites.schemas import SuiteIn
from judge.evaluators.base import Reply, Request
from judge.evaluators.registry import evaluators
from llmbench.contracts.answer_scored import Scored
from llmbench.files.cases import case_of
from llmbench_cli.shipped_suites import row_of, shipped_names, shipped_suite

CASES = [
    pytest.param(task, case, id=f"{name}: {case['id']}")
    for name in shipped_names()
    for task in shipped_suite(name)["suite"]["tasks"]
    for case in shipped_suite(name)["datasets"][task["source"]["dataset"]]
]


async def _never(part: str, request: Request, *, reuse: bool = False) -> Reply:
    raise AssertionError("a shipped suite asks no judge")


async def _passed(task: dict[str, Any], case: dict[str, Any], answer: str) -> bool:
    (chosen,) = task["evaluators"]
    example = command()
    row = row_of(case)
    checked = {"checks": row["checks"]} if "checks" in row else {"expected_output": row["expected_output"]}
    asked = command(
        evaluator={"revision_id": example.evaluator.revision_id, "kind": chosen["kind"], "params": {}},
        case={"id": example.case.id, "task_id": row["id"], "category": "c", "question": row["prompt"], **checked},
        answer=answer,
        judge=None,
    )
    verdict = await evaluators()[chosen["kind"]].evaluate(asked, _never)
    assert isinstance(verdict, Scored), verdict
    return bool(verdict.passed)


@pytest.mark.parametrize("name", shipped_names())
def test_shipped_suite_is_valid_and_has_30_to_60_cases(name: str) -> None:
    shipped = shipped_suite(name)
    suite = SuiteIn.model_validate(shipped["suite"])
    assert [task.source.dataset for task in suite.tasks] == list(shipped["datasets"])
    assert "Too few" in (suite.description or ""), "the suites are too small for a gate, and say so"
    cases = [case for cases in shipped["datasets"].values() for case in cases]
    assert 30 <= len(cases) <= 60
    for cases_of_dataset in shipped["datasets"].values():
        assert max(Counter(case["id"] for case in cases_of_dataset).values()) == 1
        assert max(Counter(case["prompt"] for case in cases_of_dataset).values()) == 1
    for case in cases:
        case_of(row_of(case), texts_only=False)


@pytest.mark.parametrize(("task", "case"), CASES)
async def test_right_answer_passes_and_wrong_answer_fails(task: dict[str, Any], case: dict[str, Any]) -> None:
    assert await _passed(task, case, case["right"])
    assert not await _passed(task, case, case["wrong"])
