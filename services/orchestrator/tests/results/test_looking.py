"""Test how runs and items are listed, filtered, sorted and paged, and a run's statistics and log."""

import asyncio
from itertools import product
from typing import Any
from uuid import UUID, uuid4

import pytest
from run_world import World, answered, scored
from sqlalchemy import text, update

from llmbench.contracts.answer_scored import Verdict
from llmbench.contracts.generate_completion import GenerateCompletion
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.contracts.outcome import Outcome, Rejected
from llmbench.db import tables as t


async def by_task(command: JudgeAnswer) -> Verdict:
    return scored(3 * int(command.case.task_id[-1]))


async def fails_on_model_b(command: GenerateCompletion) -> Outcome:
    if command.request.model == "model-b" and "What is 2" in command.request.messages[-1].content:
        return Rejected(message="too long", http_status=400, cause="context_overflow")
    return answered(f"The answer to {command.request.messages[-1].content} of 100 %")


@pytest.fixture
async def run_id(world: World) -> UUID:
    """Return a run of two targets and three tasks. The scores are 0, 3 and 6; model-b failed the last task."""
    world.answer, world.judge = fails_on_model_b, by_task
    run_id = await world.start("model-a", "model-b", name="Percent 100 %", tags=["x", "y"])
    await world.until_status(run_id, "FINISHED")
    return run_id


async def get_json(world: World, path: str, **params: Any) -> Any:
    response = await world.http.get(path, params=params)
    assert response.status_code == 200, response.text
    return response.json()


async def test_runs_are_filtered_by_their_properties(world: World, run_id: UUID) -> None:
    at = (await get_json(world, f"/api/runs/{run_id}"))["created_at"]
    for found in (
        {"status": "FINISHED"},
        {"status": ["FINISHED", "RUNNING"]},
        {"tag": "x"},
        {"tag": ["x", "y"]},
        {"q": "percent"},
        {"q": "100 %"},
        {"provider_id": str(world.provider_id)},
        {"provider_id": [str(UUID(int=1)), str(world.provider_id)]},
        {"created_from": at},
        {"created_from": "2020-01-01T00:00:00"},
    ):
        assert [run["id"] for run in (await get_json(world, "/api/runs", **found))["items"]] == [str(run_id)], found
    for missed in (
        {"status": "PAUSED"},
        {"tag": ["x", "z"]},
        {"q": "100_%"},
        {"created_before": at},
        {"q": "' OR 1=1"},
        {"tag": "a\0b"},
        {"provider_id": str(UUID(int=1))},
    ):
        assert (await get_json(world, "/api/runs", **missed))["items"] == [], missed


CHOICES: list[tuple[dict[str, Any], int]] = [
    ({}, 6),
    ({"status": "FAILED"}, 1),
    ({"failure_kind": "rejected"}, 1),
    ({"failure_phase": "JUDGING"}, 0),
    ({"model": "model-a"}, 3),
    ({"category": "arithmetic", "task_id": "task-1"}, 2),
    ({"category": "none"}, 0),
    ({"score_min": 3}, 3),
    ({"score_min": 3, "score_max": 3}, 2),
    ({"passed": "true"}, 1),
    ({"passed": "false"}, 4),
    ({"q": "ANSWER TO what is 1"}, 2),
    ({"q": "100 %"}, 5),
    ({"q": "The sum is right"}, 5),
    ({"q": "%"}, 5),
    ({"q": "\0"}, 6),
]


async def test_items_are_filtered(world: World, run_id: UUID) -> None:
    for chosen, count in CHOICES:
        page = await get_json(world, f"/api/runs/{run_id}/items", **chosen)
        assert len(page["items"]) == count, chosen
        counted = await get_json(world, f"/api/runs/{run_id}/items/count", **chosen)
        assert counted["items"] == count, chosen


async def test_each_status_is_counted_under_the_other_filters(world: World, run_id: UUID) -> None:
    for chosen in ({}, *(chosen for chosen, _ in CHOICES if chosen), {"passed": "false", "status": "COMPLETED"}):
        counted = await get_json(world, f"/api/runs/{run_id}/items/count", **chosen)
        for status in ("FAILED", "COMPLETED"):
            page = await get_json(world, f"/api/runs/{run_id}/items", **chosen | {"status": status})
            assert counted["statuses"].get(status, 0) == len(page["items"]), (chosen, status)
        page = await get_json(world, f"/api/runs/{run_id}/items", **chosen | {"passed": "false"})
        assert counted["not_passed"] == len(page["items"]), chosen


SORTS = (
    "position",
    "task_id",
    "category",
    "target",
    "status",
    "score",
    "time_ms",
    "first_token_ms",
    "tokens_per_second",
    "completion_tokens",
    "cost_usd",
)


async def test_pages_in_any_order_contain_every_item_once(world: World, run_id: UUID) -> None:
    for sort, order in product(SORTS, ("asc", "desc")):
        await _check_order(world, run_id, sort, order)


async def test_items_are_sorted_by_the_score_of_one_evaluator(world: World, run_id: UUID) -> None:
    [evaluator] = (await get_json(world, f"/api/runs/{run_id}"))["evaluators"]
    by = {"evaluator_revision_id": evaluator["revision_id"]}
    for order in ("asc", "desc"):
        await _check_order(world, run_id, "evaluator_score", order, **by)
    unscored = {"evaluator_revision_id": str(UUID(int=1)), "sort": "evaluator_score", "order": "desc"}
    page = await get_json(world, f"/api/runs/{run_id}/items", **unscored)
    assert [row["position"] for row in page["items"]] == list(range(6)), "a revision of another run scored none of them"
    cursor = (await get_json(world, f"/api/runs/{run_id}/items", sort="evaluator_score", limit=1, **by))["next_cursor"]
    for refused in ({"sort": "evaluator_score"}, {"sort": "score", **by}, unscored | {"cursor": cursor}):
        response = await world.http.get(f"/api/runs/{run_id}/items", params=refused)
        assert response.status_code == 422, refused


async def _check_order(world: World, run_id: UUID, sort: str, order: str, **by: str) -> None:
    rows: list[dict[str, Any]] = []
    cursor = None
    for _ in range(10):
        page = await get_json(
            world,
            f"/api/runs/{run_id}/items",
            sort=sort,
            order=order,
            limit=2,
            **by,
            **({"cursor": cursor} if cursor else {}),
        )
        rows += page["items"]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert len(rows) == len({row["id"] for row in rows}) == 6
    values = [_value(row, sort) for row in rows]
    known = [value for value in values if value is not None]
    assert known == sorted(known, reverse=order == "desc")
    assert values[len(known) :] == [None] * (6 - len(known)), "what has no value comes last"


def _value(row: dict[str, Any], sort: str) -> Any:
    if sort == "evaluator_score":
        return next((score["raw"] for score in row["scores"]), None)
    return row["target_label" if sort == "target" else sort]


async def test_cursor_of_another_order_is_refused(world: World, run_id: UUID) -> None:
    cursor = (await get_json(world, f"/api/runs/{run_id}/items", sort="score", limit=1))["next_cursor"]
    for other in ({"sort": "score", "order": "desc"}, {"sort": "time_ms"}, {}):
        response = await world.http.get(f"/api/runs/{run_id}/items", params={"cursor": cursor, **other})
        assert (response.status_code, response.json()["errors"][0]["field"]) == (422, "cursor")


async def test_figures_of_a_run_have_their_denominators(world: World, run_id: UUID) -> None:
    run = await get_json(world, f"/api/runs/{run_id}", include="tasks")
    totals = run["totals"]
    assert (totals["items"], totals["completed"], totals["failed"], totals["scored"]) == (6, 5, 1, 5)
    assert totals["mean_score"] == pytest.approx((0 + 0.3 + 0.6 + 0 + 0.3) / 5)
    assert totals["mean_score_interval"]["low"] < totals["mean_score"] < totals["mean_score_interval"]["high"]
    assert totals["pass_rate"] == pytest.approx(1 / 5)
    assert (totals["p50_time_ms"], totals["p95_time_ms"], totals["timed"]) == (10, 10, 5)
    first, second = run["results"]
    assert (first["mean_score"], second["mean_score"]) == (pytest.approx(0.3), pytest.approx(0.15))
    # t with 2 degrees of freedom, standard error 0.3 / sqrt(3): far beyond the range of a score.
    assert first["mean_score_interval"] == {"low": 0.0, "high": 1.0}
    assert [category["category"] for category in run["categories"]] == ["arithmetic"]
    assert [(task["task_id"], task["items"], task["mean_score"]) for task in run["tasks"]] == [
        ("task-0", 2, 0),
        ("task-1", 2, pytest.approx(0.3)),
        ("task-2", 2, pytest.approx(0.6)),
    ]
    assert (await get_json(world, f"/api/runs/{run_id}"))["tasks"] is None


async def test_log_can_be_read_from_a_position(world: World, run_id: UUID) -> None:
    complete_log = await get_json(world, f"/api/runs/{run_id}/log")
    assert {line["kind"] for line in complete_log["lines"]} >= {"note", "prompt", "answer", "verdict"}
    lines: list[dict[str, Any]] = []
    after = 0
    while page := (await get_json(world, f"/api/runs/{run_id}/log", after=after, limit=4))["lines"]:
        lines += page
        after = page[-1]["run_seq"]
    assert lines == complete_log["lines"]
    assert (await world.http.get(f"/api/runs/{uuid4()}/log")).status_code == 404


async def test_item_detail_has_its_answer_and_scores(world: World, run_id: UUID) -> None:
    row = (await world.items(run_id))[1]
    item = await get_json(world, f"/api/runs/{run_id}/items/{row['id']}")
    assert item["answer"].startswith("The answer to What is 1")
    assert (item["scores"][0]["raw"], item["scores"][0]["judge_model"]) == (3, "judge")
    assert item["score_revision_id"] == item["scores"][0]["evaluator_revision_id"]


async def test_a_run_in_detail_is_of_one_moment(world: World, run_id: UUID) -> None:
    """The response must show the run at one moment. The test pauses the request between two of its SQL statements, and
    changes rows that the later statements read; the response must not show this change."""
    groups = (await get_json(world, f"/api/runs/{run_id}"))["groups"]
    async with world.engine.connect() as holding, world.engine.connect() as looking:
        await holding.execute(text("LOCK TABLE run_collection"))
        async with asyncio.TaskGroup() as both:
            asked = both.create_task(get_json(world, f"/api/runs/{run_id}"))
            waiting = text(
                "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid) "
                "WHERE relation = 'run_collection'::regclass AND NOT granted AND datname = current_database()"
            )
            async with asyncio.timeout(240):
                while not (await looking.execute(waiting)).scalar_one():
                    await looking.rollback()
            await holding.execute(update(t.run_group).where(t.run_group.c.run_id == run_id).values(done_count=77))
            await holding.commit()
    assert asked.result()["groups"] == groups


async def test_excerpts_begin_the_texts_and_have_each_evaluators_score(world: World, run_id: UUID) -> None:
    rows = (await get_json(world, f"/api/runs/{run_id}/items"))["items"]
    ids = [row["id"] for row in rows]
    excerpts = (await get_json(world, f"/api/runs/{run_id}/items/excerpts", item_id=[*ids, str(uuid4())]))["items"]
    of_item = {one["id"]: one for one in excerpts}
    assert set(of_item) == set(ids)
    for row in rows:
        excerpt = of_item[row["id"]]
        detail = await get_json(world, f"/api/runs/{run_id}/items/{row['id']}")
        assert excerpt["question"] == detail["case"]["question"][:240]
        assert excerpt["expected"] == detail["case"]["excellent"]
        assert excerpt["answer"] == (detail["answer"].splitlines()[0][:240] if detail["answer"] else None)
        assert [score["raw"] for score in excerpt["scores"]] == [score["raw"] for score in detail["scores"]]
    too_many = await world.http.get(f"/api/runs/{run_id}/items/excerpts", params={"item_id": [str(uuid4())] * 101})
    assert too_many.status_code == 422
