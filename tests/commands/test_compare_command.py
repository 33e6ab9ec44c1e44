"""Test `llmbench compare`: tables for people, one JSON document for programs, and the exit code for CI."""

import json
import re

import pytest
import pytest_asyncio

from tests.commands.process import Llmbench
from tests.platform import Platform

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_runs_are_compared_by_label_and_a_single_run_by_its_targets(llmbench: Llmbench, stack: Platform) -> None:
    # Use an evaluator that is a program: the mock judge's scores are random, so six cases could give a winner by
    # chance.
    answered = [{"kind": "contains", "params": {"text": "Answer"}}]
    first = await stack.start_run("mock-0ms-a", name="Yesterday", evaluators=answered)
    await stack.until_status(first, "FINISHED")
    second = await stack.start_run("mock-0ms-a", "mock-0ms-b", name="Today", baseline_run_id=first, evaluators=answered)
    await stack.until_status(second, "FINISHED")

    result = await Llmbench(stack.url, {"COLUMNS": "120"})("compare", "Yesterday", "Today")
    assert result.code == 0, result.err
    assert "mock-0ms-a" in result.out
    assert "mock-0ms-b" not in result.out, "it is in one of them alone"
    assert re.search(r"0 / 0 / \d", result.out)
    assert "worse / equal" in result.out
    assert "No winner: " in result.out

    reason = "no target of 'Yesterday' that is left has its label or its model"
    assert f"not compared: 'mock-0ms-b' of 'Today': {reason}" in result.err

    by_hand = await llmbench("compare", "Yesterday", "Today", "--pair", "mock-0ms-a=mock-0ms-b", "--json")
    assert by_hand.code == 0, by_hand.err
    paired = json.loads(by_hand.out)
    (pair,) = paired["comparisons"]
    assert [column["label"] for column in pair["columns"]] == ["mock-0ms-a", "mock-0ms-b"]
    assert pair["comparisons"][0]["differs"][0] == {"name": "model", "baseline": "mock-0ms-a", "here": "mock-0ms-b"}
    assert [target["label"] for target in paired["unpaired"]] == ["mock-0ms-a"]
    for wrong in ("mock-0ms-a", "mock-0ms-a=nothing", "=", "mock-0ms-b=mock-0ms-a"):
        refused = await llmbench("compare", "Yesterday", "Today", "--pair", wrong)
        assert (refused.code, refused.out) == (1, ""), wrong
        assert "write BASELINE=CANDIDATE" in refused.err
        assert "'Yesterday' has 'mock-0ms-a'" in refused.err

    found = json.loads((await llmbench("compare", second, "--json")).out)
    assert [column["run_name"] for column in found["comparisons"][0]["columns"]] == ["Yesterday", "Today"]
    evaluators = [{"kind": "rubric"}, {"kind": "contains", "params": {"text": "a"}, "name": "has an a", "weight": 0}]
    both = await stack.start_run("mock-0ms-a", "mock-0ms-b", name="Two targets", evaluators=evaluators)
    await stack.until_status(both, "FINISHED")
    found = json.loads((await llmbench("compare", both, "--json", "--margin", "0.05")).out)
    assert [column["label"] for column in found["comparisons"][0]["columns"]] == ["mock-0ms-a", "mock-0ms-b"]
    assert found["margin"] == 0.05
    assert "By evaluator" not in result.out, "one makes the whole score"
    result = await Llmbench(stack.url, {"COLUMNS": "120"})("compare", both)
    assert "By evaluator" in result.out
    assert re.search(r"mock-0ms-b +\(has an a\) .*\d / \d / \d", result.out)


async def test_impossible_comparison_is_an_error_and_never_passes(llmbench: Llmbench, stack: Platform) -> None:
    run_id = await stack.start_run("mock-0ms-a", name="Alone")
    await stack.until_status(run_id, "FINISHED")
    result = await llmbench("compare", "Alone")
    assert (result.code, result.out) == (1, "")
    assert "has one target and no baseline run" in result.err
    result = await llmbench("compare", "Alone", "Nowhere")
    assert result.code == 1
    assert "there is no run 'Nowhere'" in result.err
    result = await llmbench("compare", "Alone", run_id)
    assert result.code == 1
    assert "named twice" in result.err

    lost = await stack.start_run("mock-0ms-404", name="Lost")
    await stack.until_status(lost, "FINISHED")
    result = await llmbench("compare", "Alone", "Lost")
    assert result.code == 1
    assert "no case is scored in both" in result.err


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def gated(stack: Platform) -> Platform:
    """Add the collection `Sums 2` of 120 cases. They are enough to detect a worse model, and are answered within
    seconds."""
    await stack.seed(120)
    return stack


async def _finished(stack: Platform, model: str, name: str, **more: object) -> str:
    # The mock's answers depend only on model and question, so the same model gets the same scores.
    run_id = await stack.start_run(
        model,
        name=name,
        evaluators=[{"kind": "contains", "params": {"text": "Answer"}}],
        concurrency=8,
        check_providers=False,
        **more,
    )
    await stack.until_status(run_id, "FINISHED")
    return run_id


async def test_exit_code_of_a_gate_is_its_decision(gated: Platform) -> None:
    llmbench = Llmbench(gated.url, {"COLUMNS": "120"})
    await _finished(gated, "mock-0ms-a", "Guarded", max_attempts=1)
    await _finished(gated, "mock-0ms-a", "Unchanged", max_attempts=1)
    await _finished(gated, "mock-0ms-refuse", "Refuses", max_attempts=1)
    await _finished(gated, "mock-0ms-404", "Gone", max_attempts=1)

    fine = await llmbench("compare", "Guarded", "Unchanged", "--gate", "score", "--margin", "0.05")
    assert fine.code == 0, fine.err
    assert "Gate: mean score, margin 0.05 (90 % two-sided intervals)" in fine.out
    assert "mock-0ms-a: fine: mean score" in fine.err
    assert "a loss of 5 points is ruled out" in fine.err
    found = json.loads(
        (await llmbench("compare", "Guarded", "Unchanged", "--gate", "score", "--margin", "5%", "--json")).out
    )
    assert (found["gate"]["state"], found["gate"]["margin"], found["gate"]["pairs"][0]["cases"]) == ("fine", 0.05, 120)

    worse = await llmbench("compare", "Guarded", "Refuses", "--gate", "pass_rate", "--margin", "0.05")
    assert worse.code == 100, worse.err
    assert "a loss of 5 points or more is certain" in worse.err

    lost = await llmbench("compare", "Guarded", "Gone", "--gate", "score", "--margin", "0.05", "--undecided", "ok")
    assert lost.code == 102, lost.err
    assert "Only 0 of the 120 cases" in lost.err
    assert "llmbench retry" in lost.err

    weak = ("compare", "Guarded", "Unchanged", "--gate", "score", "--margin", "0.001")
    refused = await llmbench(*weak)
    assert (refused.code, refused.out) == (2, "")
    assert "the gate is refused: With 120 cases a margin of 0.1 points finds an unchanged model fine in" in refused.err
    assert re.search(r"Ask [\d,]+ cases, or allow a margin of [\d.]+ points", refused.err)
    assert (await llmbench(*weak, "--force")).code == 101
    assert (await llmbench(*weak, "--force", "--undecided", "ok")).code == 0

    for option in (("--undecided", "ok"), ("--force",)):
        without = await llmbench("compare", "Guarded", "Unchanged", *option)
        assert (without.code, without.out) == (2, "")
        assert "--gate" in without.err

    checked = await llmbench("gate", "check", "Guarded", "--margin", "0.2")
    assert checked.code == 0, checked.err
    assert "0 false alarms in" in checked.err
    checked = await llmbench("gate", "check", "Guarded", "--gate", "score", "--margin", "0.01")
    assert checked.code == 2
    assert "too weak" in checked.out
    assert json.loads((await llmbench("gate", "check", "Guarded", "--margin", "0.2", "--json")).out)["holds"] is True


async def test_invalid_gate_is_explained_and_never_passes(gated: Platform) -> None:
    llmbench = Llmbench(gated.url, {"COLUMNS": "200"})
    await _finished(gated, "mock-0ms-a", "Base of bad gates")
    await _finished(gated, "mock-0ms-a", "Beside it")
    two = ("compare", "Base of bad gates", "Beside it")
    for arguments, words in (
        (("--gate", "score"), "a gate needs a margin above 0"),
        (("--gate", "score", "--margin", "0"), "a gate needs a margin above 0"),
        (("--gate", "score", "--margin", "-0.1"), "is no margin"),
        (("--gate", "score", "--margin", "nan"), "is no margin"),
        (("--gate", "score", "--margin", "much"), "is no number"),
        (("--gate", "score", "--margin", "5"), "allows any loss"),
        (("--gate", "charm", "--margin", "0.1"), "there is score, pass_rate, cost, latency, 'contains'"),
        (("--gate", "cost", "--margin", "10%"), "no answer has a known price"),
        (("--gate", "score", "--margin", "0.1", "--cluster-by", "nothing"), "has the metadata key 'nothing'"),
    ):
        result = await llmbench(*two, *arguments)
        assert (result.code, result.out) == (2, ""), (arguments, result)
        assert words in " ".join(result.err.replace("│", " ").split()), arguments
    itself = await llmbench("compare", "Beside it", "Beside it", "--gate", "score", "--margin", "0.1")
    assert (itself.code, "llmbench gate check" in itself.err) == (2, True)
    assert (
        await llmbench("compare", *two[1:], "--gate", "score", "--margin", "0.1", "--undecided", "perhaps")
    ).code == 2
    judged = await gated.start_run("mock-0ms-a", name="By a judge", check_providers=False, concurrency=8)
    await gated.until_status(judged, "FINISHED")
    result = await llmbench("compare", "Base of bad gates", "By a judge", "--gate", "score", "--margin", "0.1")
    assert result.code == 2
    assert "Two different measures scored these runs" in result.err
    slow = await gated.start_run("mock-8s", name="Under way", evaluators=[{"kind": "latency", "params": {"max_ms": 1}}])
    result = await llmbench("compare", "Base of bad gates", "Under way", "--gate", "latency", "--margin", "0.1")
    assert result.code == 1
    assert "'Under way' is " in result.err
    assert "llmbench watch" in result.err
    await gated.post(f"/api/runs/{slow}/cancel", {})
    await gated.until_status(slow, "CANCELLED")
