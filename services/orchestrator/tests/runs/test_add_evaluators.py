"""Test adding evaluators to a finished run: its stored answers are scored, and no target is called again."""

import asyncio
from typing import Any
from uuid import UUID

import pytest
from run_world import World, contained, scored

from llmbench.contracts.answer_scored import Unparsed, Verdict
from llmbench.contracts.generate_completion import Purpose
from llmbench.contracts.judge_answer import JudgeAnswer

CONTAINS: dict[str, Any] = {"kind": "contains", "params": {"text": "42"}}


async def by_kind(command: JudgeAnswer) -> Verdict:
    if command.evaluator.kind == "contains":
        return contained(command.case.task_id == "task-0")
    return scored(8)


async def add(world: World, run_id: UUID, *evaluators: dict[str, Any], **more: Any) -> tuple[int, Any]:
    response = await world.http.post(f"/api/runs/{run_id}/evaluators", json={"evaluators": evaluators, **more})
    return response.status_code, response.json()


async def finished(world: World, **more: Any) -> UUID:
    run_id = await world.start(**more)
    await world.until_status(run_id, "FINISHED")
    world.seen.clear()
    return run_id


@pytest.mark.shows("I-06")
async def test_program_added_to_a_finished_run_scores_its_answers_without_calls(world: World) -> None:
    world.judge = by_kind
    run_id = await finished(world)
    status, summary = await add(world, run_id, {**CONTAINS, "weight": 3})
    assert (status, summary["status"], summary["phase"]) == (202, "RUNNING", "JUDGING")
    run = await world.until_status(run_id, "FINISHED")
    assert not world.calls(), "no target is called"
    assert not world.calls(Purpose.WARM_UP)
    assert [evaluator["name"] for evaluator in run["evaluators"]] == ["rubric", "contains"]
    assert run["outcome"] == "complete"
    assert [item["score_normalised"] for item in await world.items(run_id)] == [
        pytest.approx(0.95),
        pytest.approx(0.2),
        pytest.approx(0.2),
    ]


async def test_adding_the_same_evaluator_again_repeats_no_scoring(world: World) -> None:
    world.judge = by_kind
    run_id = await finished(world)
    assert (await add(world, run_id, CONTAINS))[0] == 202
    await world.until_status(run_id, "FINISHED")
    world.seen.clear()
    status, summary = await add(world, run_id, CONTAINS)
    assert (status, summary["status"]) == (202, "FINISHED")
    assert len(summary["evaluators"]) == 2
    assert not world.seen
    status, problem = await add(world, run_id, {**CONTAINS, "weight": 2, "name": "other"})
    assert status == 422
    assert {error["field"] for error in problem["errors"]} == {"evaluators.0.weight", "evaluators.0.name"}
    status, problem = await add(world, run_id, {"kind": "contains", "params": {"text": "1"}, "name": "rubric"})
    assert (status, problem["errors"][0]["field"]) == (422, "evaluators.0.name")
    assert (await add(world, run_id, {"kind": "contains", "params": {"text": "1"}}))[0] == 202
    run = await world.until_status(run_id, "FINISHED")
    assert [evaluator["name"] for evaluator in run["evaluators"]] == ["rubric", "contains", "contains-2"]


async def test_coverage_of_an_added_evaluator_is_shown_while_it_scores(world: World) -> None:
    held = asyncio.Event()

    async def holds_the_others(command: JudgeAnswer) -> Verdict:
        if command.evaluator.kind == "contains" and command.case.task_id != "task-0":
            await held.wait()
        return await by_kind(command)

    world.judge = holds_the_others
    run_id = await finished(world)
    assert (await add(world, run_id, CONTAINS))[0] == 202
    run = await world.until(run_id, lambda run: run["evaluators"][-1]["scored"] == 1)
    contains = run["evaluators"][-1]
    assert (contains["asked"], contains["pending"], run["status"]) == (3, 2, "RUNNING")
    assert run["totals"]["scored"] == 1, "an overall score needs all that have a weight"
    status, _ = await add(world, run_id, {"kind": "contains", "params": {"text": "1"}})
    assert status == 409
    assert (await world.http.post(f"/api/runs/{run_id}/pause")).status_code == 202
    held.set()
    await world.until_status(run_id, "PAUSED")
    assert (await world.http.post(f"/api/runs/{run_id}/resume")).status_code == 202
    run = await world.until_status(run_id, "FINISHED")
    assert run["totals"]["scored"] == 3


async def test_added_judge_is_validated_and_warmed_up(world: World) -> None:
    run_id = await finished(world, judge=None, evaluators=[CONTAINS])
    own = {"provider_id": str(world.provider_id), "model": "model-a"}
    status, problem = await add(world, run_id, {"kind": "g_eval", "judge": own})
    assert (status, problem["errors"][0]["field"]) == (422, "evaluators.0.judge.model")
    status, problem = await add(world, run_id, {"kind": "g_eval"}, judge={**own, "model": "nobody"})
    assert (status, problem["errors"][0]["field"]) == (422, "judge.model")
    assert (await add(world, run_id, {"kind": "g_eval"}, judge={**own, "model": "judge"}))[0] == 202
    run = await world.until_status(run_id, "FINISHED")
    assert [call.request.model for call in world.calls(Purpose.WARM_UP)] == ["judge"]
    assert [(evaluator["name"], evaluator["judge_model"]) for evaluator in run["evaluators"]] == [
        ("contains", None),
        ("g_eval", "judge"),
    ]


async def test_added_evaluator_without_a_score_leaves_items_failed_until_retried(world: World) -> None:
    async def unreadable(command: JudgeAnswer) -> Verdict:
        return Unparsed(problem="?", raw_text="") if command.evaluator.kind == "contains" else scored(8)

    world.judge = unreadable
    run_id = await finished(world, max_attempts=1)
    assert (await add(world, run_id, CONTAINS))[0] == 202
    run = await world.until_status(run_id, "FINISHED")
    assert (run["outcome"], run["evaluators"][1]["unparsed"], run["totals"]["scored"]) == ("failed", 3, 0)
    assert [item["score"] for item in await world.items(run_id)] == [None] * 3
    assert run["evaluators"][0]["mean_score"] == pytest.approx(0.8), "what the first one said stays"
    world.judge = by_kind
    assert (await world.http.post(f"/api/runs/{run_id}/retry-judging")).status_code == 202
    run = await world.until_status(run_id, "FINISHED")
    assert (run["outcome"], run["totals"]["scored"]) == ("complete", 3)


@pytest.mark.shows("I-06")
async def test_one_of_several_evaluators_can_be_scored_by_another_judge(world: World) -> None:
    world.judge = by_kind
    run_id = await finished(world, evaluators=[{"kind": "rubric"}, {"kind": "g_eval"}, CONTAINS])
    other = {"provider_id": str(world.provider_id), "model": "model-b"}
    again = f"/api/runs/{run_id}/retry-judging"
    response = await world.http.post(again, json={"judge": other, "scope": "all"})
    assert (response.status_code, response.json()["errors"][0]["field"]) == (422, "evaluator")
    response = await world.http.post(again, json={"judge": other, "scope": "all", "evaluator": "contains"})
    assert response.status_code == 422

    async def stricter(command: JudgeAnswer) -> Verdict:
        return scored(2)

    world.judge = stricter
    response = await world.http.post(again, json={"judge": other, "scope": "all", "evaluator": "rubric"})
    assert response.status_code == 202, response.text
    run = await world.until_status(run_id, "FINISHED")
    assert {one.evaluator.kind for one in world.seen if isinstance(one, JudgeAnswer)} == {"rubric"}
    assert [(evaluator["name"], evaluator["judge_model"], evaluator["primary"]) for evaluator in run["evaluators"]] == [
        ("rubric", "judge", True),
        ("g_eval", "judge", True),
        ("contains", None, True),
        ("rubric", "model-b", False),
    ]
    promoted = {"revision_id": run["evaluators"][3]["revision_id"]}
    response = await world.http.post(f"/api/runs/{run_id}/promote", json=promoted)
    assert response.status_code == 202, response.text
    run = (await world.http.get(f"/api/runs/{run_id}")).json()
    assert [evaluator["primary"] for evaluator in run["evaluators"]] == [False, True, True, True]
    wanted = ((0.2 + 0.8 + 1) + 2 * (0.2 + 0.8)) / 3 / 3
    assert run["totals"]["mean_score"] == pytest.approx(wanted)
