"""Test the histograms per target: all targets share the same bins, and the number of bins is limited."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from run_world import World, answered, contained, scored
from sqlalchemy import text

from llmbench.contracts.answer_scored import Verdict
from llmbench.contracts.generate_completion import GenerateCompletion
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.contracts.outcome import Outcome, Rejected, Timings
from llmbench.ids import new_id


def task_number(question: str) -> int:
    return int(question.split(" + ")[0].removeprefix("What is "))


async def slower_with_each_task(command: GenerateCompletion) -> Outcome:
    """Answer task-0 in 10 ms, task-1 in 100 ms and task-2 in 1 s. Model-b gets an error instead of an answer to
    task-2."""
    number = task_number(command.request.messages[-1].content) if command.item_id else 0
    if command.request.model == "model-b" and number == 2:
        return Rejected(message="too long", http_status=400, cause="context_overflow")
    timings = Timings(total_ms=10 ** (number + 1), first_token_ms=4, first_content_ms=4)
    return answered().model_copy(update={"timings": timings})


async def by_task(command: JudgeAnswer) -> Verdict:
    return scored(5 * task_number(command.case.question))


@pytest.fixture
async def run_id(world: World) -> UUID:
    world.answer, world.judge = slower_with_each_task, by_task
    run_id = await world.start("model-a", "model-b")
    await world.until_status(run_id, "FINISHED")
    return run_id


async def get_distribution(world: World, run_id: UUID) -> dict[str, Any]:
    response = await world.http.get(f"/api/runs/{run_id}/distribution")
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


async def test_every_score_and_time_is_in_one_bin(world: World, run_id: UUID) -> None:
    found = await get_distribution(world, run_id)
    first, second = found["targets"]
    assert (first["label"], second["label"]) == ("model-a", "model-b")
    assert found["score_bins"] == pytest.approx([step / 10 for step in range(11)])
    assert first["scores"] == [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    assert second["scores"] == [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0]
    edges = found["time_edges_ms"]
    assert (edges[0], edges[-1]) == (pytest.approx(10), pytest.approx(1000))
    # The shortest time is in the first bin, the longest in the last, and their geometric mean in the middle.
    assert len(edges) == len(first["times"]) + 1 == 25
    assert [index for index, items in enumerate(first["times"]) if items] == [0, 12, 23]
    assert [index for index, items in enumerate(second["times"]) if items] == [0, 12]
    # The fake judge of this test calls no model.
    assert found["judges"] == []


async def test_histogram_includes_the_times_of_judge_calls(world: World, run_id: UUID) -> None:
    """The judge's histogram has two calls of 1 s and 2 s, stored as the gateway would store them. It does not have a
    cached call, which took the provider no time."""
    item = (await world.items(run_id))[0]["id"]
    score = (await world.http.get(f"/api/runs/{run_id}/items/{item}")).json()["scores"][0]["id"]
    async with world.engine.begin() as connection:
        for took_s, cached_from in ((1, None), (2, None), (60, new_id())):
            await connection.execute(
                text(
                    "INSERT INTO model_call (id, run_id, provider_id, group_id, score_id, purpose, dispatch, model,"
                    " request_hash, cached_from, started_at, finished_at) SELECT :id, run_id, provider_id, group_id,"
                    " :score_id, 'score', 1, 'judge', '', CAST(:cached_from AS uuid), now(),"
                    " now() + :took_s * interval '1 second' FROM model_call WHERE run_id = :run_id LIMIT 1"
                ),
                {"id": new_id(), "score_id": score, "cached_from": cached_from, "took_s": took_s, "run_id": run_id},
            )
        # The gateway's calls precede the verdict, which marks the block of its item as changed.
        await connection.execute(
            text("UPDATE run_block SET version = version + 1 WHERE run_id = :run_id"), {"run_id": run_id}
        )
    (judge,) = (await get_distribution(world, run_id))["judges"]
    assert (judge["model"], judge["calls"], judge["mean_time_ms"]) == ("judge", 2, pytest.approx(1500))


async def test_equal_times_share_one_bin(world: World) -> None:
    run_id = await world.start("model-a")
    await world.until_status(run_id, "FINISHED")
    found = await get_distribution(world, run_id)
    assert found["time_edges_ms"] == pytest.approx([10, 10])
    assert found["targets"][0]["times"] == [3]
    assert sum(found["targets"][0]["scores"]) == 3


async def test_run_without_answers_has_no_time_bins(world: World) -> None:
    async def never(_: GenerateCompletion) -> None:
        return None

    world.answer = never
    run_id = await world.start("model-a")
    found = await get_distribution(world, run_id)
    assert (found["time_edges_ms"], found["targets"][0]["times"]) == ([], [])
    assert found["targets"][0]["scores"] == [0] * 11
    assert (await world.http.get(f"/api/runs/{uuid4()}/distribution")).status_code == 404


async def two_scales(command: JudgeAnswer) -> Verdict:
    """Give the three tasks the rubric scores 0, 5 and 10. The evaluator `contains` finds its text only in the answer to
    the first task."""
    if command.evaluator.kind == "contains":
        return contained(command.case.task_id == "task-0")
    return await by_task(command)


@pytest.mark.parametrize(
    "evaluators",
    [
        [{"kind": "rubric"}],
        [{"kind": "rubric"}, {"kind": "contains", "params": {"text": "42"}}],
        [{"kind": "rubric", "weight": 2}, {"kind": "contains", "params": {"text": "42"}, "weight": 0.3}],
        [{"kind": "rubric"}, {"kind": "contains", "params": {"text": "42"}, "only": {"task_id": "task-0"}}],
    ],
)
async def test_filter_by_the_edges_of_a_bin_finds_its_items(world: World, evaluators: list[dict[str, Any]]) -> None:
    world.judge = two_scales
    run_id = await world.start("model-a", "model-b", evaluators=evaluators)
    await world.until_status(run_id, "FINISHED")
    found = await get_distribution(world, run_id)
    bounds = [None, *found["score_edges"], None]
    for target in found["targets"]:
        assert sum(target["scores"]) == 3
        for count, low, below in zip(target["scores"], bounds, bounds[1:], strict=False):
            query = {"target_id": target["target_id"], "overall_min": low, "overall_below": below}
            query = {name: value for name, value in query.items() if value is not None}
            listed = (await world.http.get(f"/api/runs/{run_id}/items", params=query)).json()["items"]
            counted = (await world.http.get(f"/api/runs/{run_id}/items/count", params=query)).json()["items"]
            assert (len(listed), counted) == (count, count), query


async def test_filter_by_the_edges_of_a_time_bin_finds_its_items(world: World) -> None:
    async def uneven(command: GenerateCompletion) -> Outcome:
        number = task_number(command.request.messages[-1].content) if command.item_id else 0
        return answered().model_copy(update={"timings": Timings(total_ms=(10, 90, 1000)[number])})

    world.answer = uneven
    run_id = await world.start("model-a")
    await world.until_status(run_id, "FINISHED")
    found = await get_distribution(world, run_id)
    # The outer bins are open: the shortest and the longest time lie on their edges.
    bounds = [None, *found["time_edges_ms"][1:-1], None]
    counts = found["targets"][0]["times"]
    assert sum(counts) == 3
    for count, least, below in zip(counts, bounds, bounds[1:], strict=False):
        asked = {"time_min": least, "time_below": below, "cached": False}
        query = {name: value for name, value in asked.items() if value is not None}
        counted = (await world.http.get(f"/api/runs/{run_id}/items/count", params=query)).json()["items"]
        assert counted == count, query
