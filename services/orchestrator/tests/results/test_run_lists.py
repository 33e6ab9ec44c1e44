"""Test that the list of runs is sorted by each column with stable pages, and grouped by tag, suite and day."""

from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any
from uuid import UUID

import pytest
from made_runs import Target, cases, made_targets
from run_world import World, scored
from sqlalchemy import insert, update

from llmbench.contracts.answer_scored import Verdict
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.db import tables as t
from llmbench.ids import new_id

FIRST_DAY = datetime(2026, 3, 28, 22, 30, tzinfo=UTC)
SORTS = ("created_at", "finished_at", "name", "status", "took_s", "best_score", "cost_usd", "cases", "failed")


async def get_json(world: World, path: str, **params: Any) -> Any:
    response = await world.http.get(path, params=params)
    assert response.status_code == 200, response.text
    return response.json()


async def low(_: JudgeAnswer) -> Verdict:
    return scored(1)


@pytest.fixture
async def ids(world: World) -> list[UUID]:
    """Create seven runs whose values vary in every column of the list, and return their ids, the oldest run first. Two
    runs have equal scores. The last two have no score, no cost and no end."""
    world.judge = low
    template = await world.start("model-a", name="b")
    await world.until_status(template, "FINISHED")
    made = [template]
    for name, *scores in (("A", [0.9, 0.8]), ("c", [0.2, 0.1], [0.7, 0.5]), ("C", [0.5, 0.5]), ("C", [0.5, 0.5])):
        targets = [Target(cases(of), {"label": f"target {place}"}) for place, of in enumerate(scores)]
        made.append(_run_id(await made_targets(world, template, targets, name=name)))
    for name in ("waits", "goes"):
        made.append(_run_id(await made_targets(world, template, [Target(cases([None]))], name=name, status="PAUSED")))
    # Count the copied runs as they are, before their columns change.
    assert len((await get_json(world, "/api/runs"))["items"]) == len(made)
    async with world.engine.begin() as connection:
        for place, run_id in enumerate(made):
            values: dict[str, Any] = {"created_at": FIRST_DAY + timedelta(hours=place // 2)}
            values |= {"failed_count": place % 3, "case_count": 1 + place % 4}
            if place < 5:
                values |= {"took_s": 10.5 - place // 2, "finished_at": FIRST_DAY + timedelta(days=place)}
                values |= {"cost_usd": place // 2 * 0.1, "unpriced_count": 0}
            else:
                values |= {"cost_usd": 0, "unpriced_count": 1}
            await connection.execute(update(t.run).where(t.run.c.id == run_id).values(**values))
    return made


def _run_id(columns: list[str]) -> UUID:
    return UUID(columns[0].partition(":")[0])


async def _every(world: World, path: str, *, limit: int, **params: Any) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    page: dict[str, Any] = {"next_cursor": None}
    while page["next_cursor"] or not rows:
        given = {"cursor": page["next_cursor"]} if page["next_cursor"] else {}
        page = await get_json(world, path, limit=limit, **params, **given)
        assert len(page["items"]) <= limit
        rows += page["items"]
    return rows


def _value(run: dict[str, Any], sort: str) -> Any:
    match sort:
        case "name":
            return run["name"].lower()
        case "best_score":
            return max((each["mean_score"] for each in run["target_scores"] if each["scored"]), default=None)
        case "took_s":
            return run["took_s"] if run["finished_at"] else None
        case "cost_usd":
            return None if run["unpriced_calls"] else run["cost_usd"]
        case "failed":
            return run["counts"]["failed"]
        case "status":
            return ["QUEUED", "PENDING", "RUNNING", "PAUSING", "PAUSED", "FINISHED", "CANCELLED"].index(run["status"])
    return run[sort]


async def test_pages_in_any_order_have_every_run_once(world: World, ids: list[UUID]) -> None:
    for sort, order in product(SORTS, ("asc", "desc")):
        rows = await _every(world, "/api/runs", sort=sort, order=order, limit=2)
        assert sorted(row["id"] for row in rows) == sorted(map(str, ids)), (sort, order)
        places = [(_value(row, sort), row["id"]) for row in rows]
        known = [place for place in places if place[0] is not None]
        assert known == sorted(known, reverse=order == "desc"), (sort, order)
        assert all(value is None for value, _ in places[len(known) :]), "what has no value comes last"
    names = [run["name"] for run in await _every(world, "/api/runs", limit=3, has_tag=False)]
    assert names == ["goes", "waits", "C", "C", "c", "A", "b"], "the newest first"


async def test_each_target_has_its_score_with_an_interval(world: World, ids: list[UUID]) -> None:
    run = await get_json(world, f"/api/runs/{ids[2]}")
    (listed,) = [one for one in await _every(world, "/api/runs", limit=50) if one["id"] == str(ids[2])]
    assert [each["target_id"] for each in listed["target_scores"]] == [each["target_id"] for each in run["results"]]
    for listed_score, result in zip(listed["target_scores"], run["results"], strict=True):
        assert listed_score == {name: result[name] for name in listed_score}
    assert [each["mean_score"] for each in listed["target_scores"]] == [pytest.approx(0.15), pytest.approx(0.6)]
    assert listed["target_scores"][0]["mean_score_interval"]["high"] > 0.15


async def test_cursor_of_another_order_or_of_no_list_is_refused(world: World, ids: list[UUID]) -> None:
    for sort in SORTS:
        cursor = (await get_json(world, "/api/runs", sort=sort, limit=1))["next_cursor"]
        for other in ({"sort": sort, "order": "asc"}, {"sort": "name" if sort != "name" else "cases"}):
            response = await world.http.get("/api/runs", params={"cursor": cursor, **other})
            assert (response.status_code, response.json()["errors"][0]["field"]) == (422, "cursor"), (sort, other)
    assert (await world.http.get("/api/runs", params={"sort": "judge"})).status_code == 422


async def test_runs_are_grouped_by_tag_suite_and_day(world: World, ids: list[UUID]) -> None:
    async with world.engine.begin() as connection:
        for place, tags in enumerate((["x"], ["x", "y"], ["é"])):
            await connection.execute(update(t.run).where(t.run.c.id == ids[place]).values(tags=tags))
        suite = {"suite_id": new_id(), "name": "Sums", "version_number": 1, "aggregation": "weighted", "task_count": 1}
        await connection.execute(insert(t.run_suite).values(run_id=ids[0], **suite))

    async def groups(**params: Any) -> list[tuple[str | None, int]]:
        every = [await _every(world, "/api/runs/groups", limit=limit, **params) for limit in (1, 50)]
        assert every[0] == every[1], "any page size has the same groups"
        for group in every[0]:
            chosen = _filter(params["by"], group)
            assert len(await _every(world, "/api/runs", limit=50, **chosen)) == group["runs"], group
        return [(group["key"], group["runs"]) for group in every[0]]

    assert await groups(by="tag") == [("x", 2), ("y", 1), ("é", 1), (None, 4)]
    assert await groups(by="suite") == [("Sums", 1), (None, 6)]
    of_suites = await get_json(world, "/api/runs/groups", by="suite", has_suite=True)
    assert [group["key"] for group in of_suites["items"]] == ["Sums"]
    named = await get_json(world, "/api/runs/groups", by="suite", suite="Sums")
    assert [(group["key"], group["runs"]) for group in named["items"]] == [("Sums", 1)]
    assert await groups(by="day") == [("2026-03-29", 3), ("2026-03-28", 4)]
    # In Berlin, clocks go forward in the night to the 29th: that day has 23 hours.
    assert await groups(by="day", time_zone="Europe/Berlin") == [("2026-03-29", 5), ("2026-03-28", 2)]
    (day, _) = (await get_json(world, "/api/runs/groups", by="day", time_zone="Europe/Berlin"))["items"]
    assert (day["created_from"], day["created_before"]) == ("2026-03-28T23:00:00.000Z", "2026-03-29T22:00:00.000Z")
    filtered = await get_json(world, "/api/runs/groups", by="tag", q="b")
    assert [group["key"] for group in filtered["items"]] == ["x"]


def _filter(by: str, group: dict[str, Any]) -> dict[str, Any]:
    if by == "day":
        return {"created_from": group["created_from"], "created_before": group["created_before"]}
    return {f"has_{by}": False} if group["key"] is None else {by: group["key"]}


async def test_unknown_grouping_is_refused_with_a_reason(world: World, ids: list[UUID]) -> None:
    # PostgreSQL takes the last three for zones of POSIX, whose signs mean the opposite.
    zones = ("Europe/Nowhere", "", "../UTC", "+05:45", "UTC+5", "PST8PDT,M3.2.0,M11.1.0")
    refused = [({"by": "day", "time_zone": zone}, "time_zone") for zone in zones]
    for params, field in (({"by": "colour"}, "by"), *refused):
        response = await world.http.get("/api/runs/groups", params=params)
        assert (response.status_code, response.json()["errors"][0]["field"]) == (422, field), response.text
    response = await world.http.get("/api/runs/groups", params={"by": "tag", "cursor": "e30"})
    assert response.status_code == 422
