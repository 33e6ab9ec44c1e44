"""`llmbench compare`: tables for people, one document for programs, and the exit code for CI."""

import json
import re

import pytest

from tests.commands.process import Llmbench
from tests.platform import Platform

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_runs_are_compared_by_label_and_a_run_alone_by_its_targets(llmbench: Llmbench, stack: Platform) -> None:
    # By a program: what the mock's judge says is chance, and of six cases chance may make a winner.
    answered = [{"kind": "contains", "params": {"text": "Answer"}}]
    first = await stack.start_run("mock-0ms-a", name="Yesterday", evaluators=answered)
    await stack.until_status(first, "FINISHED")
    second = await stack.start_run("mock-0ms-a", "mock-0ms-b", name="Today", baseline_run_id=first, evaluators=answered)
    await stack.until_status(second, "FINISHED")

    said = await Llmbench(stack.url, {"COLUMNS": "120"})("compare", "Yesterday", "Today")
    assert said.code == 0, said.err
    assert "mock-0ms-a" in said.out
    assert "mock-0ms-b" not in said.out, "it is in one of them alone"
    assert re.search(r"0 / 0 / \d", said.out)
    assert "worse / equal" in said.out
    assert "No winner: " in said.out

    found = json.loads((await llmbench("compare", second, "--json")).out)
    assert [column["run_name"] for column in found["comparisons"][0]["columns"]] == ["Yesterday", "Today"]
    evaluators = [{"kind": "rubric"}, {"kind": "contains", "params": {"text": "a"}, "name": "has an a", "weight": 0}]
    both = await stack.start_run("mock-0ms-a", "mock-0ms-b", name="Two targets", evaluators=evaluators)
    await stack.until_status(both, "FINISHED")
    found = json.loads((await llmbench("compare", both, "--json", "--margin", "0.05")).out)
    assert [column["label"] for column in found["comparisons"][0]["columns"]] == ["mock-0ms-a", "mock-0ms-b"]
    assert found["margin"] == 0.05
    assert "By evaluator" not in said.out, "one makes the whole score"
    said = await Llmbench(stack.url, {"COLUMNS": "120"})("compare", both)
    assert "By evaluator" in said.out
    assert re.search(r"mock-0ms-b +\(has an a\) .*\d / \d / \d", said.out)


async def test_what_cannot_be_compared_is_an_error_and_never_a_pass(llmbench: Llmbench, stack: Platform) -> None:
    run_id = await stack.start_run("mock-0ms-a", name="Alone")
    await stack.until_status(run_id, "FINISHED")
    said = await llmbench("compare", "Alone")
    assert (said.code, said.out) == (1, "")
    assert "has one target and no baseline run" in said.err
    said = await llmbench("compare", "Alone", "Nowhere")
    assert said.code == 1
    assert "there is no run 'Nowhere'" in said.err
    said = await llmbench("compare", "Alone", run_id)
    assert said.code == 1
    assert "named twice" in said.err

    lost = await stack.start_run("mock-0ms-404", name="Lost")
    await stack.until_status(lost, "FINISHED")
    said = await llmbench("compare", "Alone", "Lost")
    assert said.code == 1
    assert "no case is scored in both" in said.err
