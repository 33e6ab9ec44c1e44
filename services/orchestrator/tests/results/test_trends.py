"""Test that a trend shows the finished runs with one name in order, and each change that makes scores incomparable."""

from typing import Any
from uuid import UUID

import pytest
from run_world import World
from sqlalchemy import update

from llmbench.db import tables as t

pytestmark = pytest.mark.never_rerun

NAME = "Nightly"


async def finished(world: World, *, model: str = "model-a", judge: str = "judge", **more: Any) -> UUID:
    """Start a run of one target, whose label is always the same, and wait for its end. Return the run's id."""
    target = {"provider_id": str(world.provider_id), "model": model, "label": "under test"}
    run_id = await world.start(
        name=NAME,
        targets=[target],
        judge={"provider_id": str(world.provider_id), "model": judge},
        **more,
    )
    await world.until_status(run_id, "FINISHED")
    return run_id


async def trend(world: World, **params: Any) -> dict[str, Any]:
    response = await world.http.get("/api/trends", params={"name": NAME} | params)
    assert response.status_code == 200, response.text
    body: dict[str, Any] = response.json()
    return body


async def test_points_are_those_of_the_runs_and_each_change_is_a_break(world: World) -> None:
    prompted: dict[str, Any] = {"params": {"system_prompt": "Be brief."}}
    runs = [
        await finished(world),
        await finished(world),
        await finished(world, judge="model-b"),
        await finished(world, judge="model-b", **prompted),
        await finished(world, judge="model-b", params={"system_prompt": "Be brief.", "temperature": 1}),
        await finished(world, judge="model-b", evaluators=[{"kind": "rubric", "pass_threshold": 7}]),
        await finished(world, model="model-b", evaluators=[{"kind": "rubric", "pass_threshold": 7}]),
    ]
    async with world.engine.begin() as connection:
        await connection.execute(update(t.task).where(t.task.c.task_id == "task-0").values(question="What is 2 + 2?"))
    runs.append(await finished(world, model="model-b", evaluators=[{"kind": "rubric", "pass_threshold": 7}]))

    found = await trend(world)
    (series,) = found["series"]
    assert (found["runs"], found["more"], series["label"]) == (8, False, "under test")
    assert [point["run_id"] for point in series["points"]] == [str(run_id) for run_id in runs]
    assert [point["breaks"] for point in series["points"]] == [
        [],
        [],
        ["judge"],
        ["prompt"],
        ["parameters"],
        ["prompt", "parameters", "evaluators"],
        ["model", "judge"],
        ["cases"],
    ]
    last = (await world.http.get(f"/api/runs/{runs[-1]}")).json()["results"][0]
    point = series["points"][-1]
    for name in ("mean_score", "mean_score_interval", "pass_rate", "cost_usd", "mean_time_ms", "scored", "items"):
        assert point[name] == last[name], name

    found = await trend(world, limit=2)
    assert (found["runs"], found["more"]) == (2, True)
    assert [point["run_id"] for point in found["series"][0]["points"]] == [str(run_id) for run_id in runs[-2:]]
    names = (await world.http.get("/api/trends/names")).json()["items"]
    assert [(name["name"], name["runs"], name["last_run_id"]) for name in names] == [(NAME, 8, str(runs[-1]))]


async def test_name_without_finished_runs_has_an_empty_trend(world: World) -> None:
    assert await trend(world) == {"name": NAME, "runs": 0, "more": False, "series": []}
    assert (await world.http.get("/api/trends/names")).json() == {"items": [], "suites": []}


@pytest.mark.parametrize("query", ["", "name=", "name=a&limit=1", "name=a&limit=101", "name=a&unknown=1"])
async def test_bad_query_is_refused(world: World, query: str) -> None:
    assert (await world.http.get(f"/api/trends?{query}")).status_code == 422
