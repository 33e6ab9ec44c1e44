"""Test that endpoints such as POST /api/runs refuse bad input with advice, and create nothing."""

from typing import Any
from uuid import uuid4

import pytest
from run_world import MODELS, World

from llmbench.contracts.list_models import ModelsListed


async def refusal(world: World, body: Any, status: int = 422) -> dict[str, Any]:
    response = await world.http.post("/api/runs", json=body)
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    assert (await world.http.get("/api/runs")).json()["items"] == []
    problem: dict[str, Any] = response.json()
    return problem


@pytest.mark.parametrize("missing", ["judge", "targets", "collection_ids"])
async def test_missing_field_is_named(world: World, missing: str) -> None:
    body = world.body()
    del body[missing]
    problem = await refusal(world, body)
    assert [error["field"] for error in problem["errors"]] == [missing]


@pytest.mark.parametrize("empty", ["targets", "collection_ids"])
async def test_empty_list_is_refused_with_its_field(world: World, empty: str) -> None:
    problem = await refusal(world, world.body() | {empty: []})
    assert [error["field"] for error in problem["errors"]] == [empty]


async def test_misspelt_field_is_refused(world: World) -> None:
    problem = await refusal(world, world.body() | {"temprature": 1})
    assert problem["errors"][0]["field"] == "temprature"


async def test_unknown_provider_model_or_collection_is_named(world: World) -> None:
    nobody = str(uuid4())
    problem = await refusal(world, world.body() | {"judge": {"provider_id": nobody, "model": "judge"}})
    assert problem["errors"][0]["field"] == "judge.provider_id"
    problem = await refusal(world, world.body() | {"collection_ids": [nobody]})
    assert problem["errors"][0]["field"] == "collection_ids.0"
    problem = await refusal(world, world.body("model-a", "gpt-17"))
    assert problem["errors"][0]["field"] == "targets.1.model"
    assert all(model in problem["errors"][0]["message"] for model in MODELS)


async def test_unreachable_provider_is_refused_with_the_cause(world: World) -> None:
    world.models = ModelsListed(problem="connection refused at http://mock", cause="refused", url="http://mock")
    problem = await refusal(world, world.body())
    assert {error["field"] for error in problem["errors"]} == {"judge.provider_id", "targets.0.provider_id"}
    assert "connection refused" in problem["detail"]


async def test_two_targets_with_the_same_label_are_refused(world: World) -> None:
    problem = await refusal(world, world.body("model-a", "model-a"))
    assert problem["errors"][0]["field"] == "targets.1.label"


async def test_empty_collection_is_refused(world: World) -> None:
    from sqlalchemy import delete

    from llmbench.db import tables as t

    async with world.engine.begin() as connection:
        await connection.execute(delete(t.collection_task))
    problem = await refusal(world, world.body())
    assert "is empty" in problem["errors"][0]["message"]


@pytest.mark.shows("I-12")
async def test_second_run_is_refused_and_names_the_active_one(world: World) -> None:
    world.answer = lambda _: _never()
    run_id = await world.start(name="the first")
    response = await world.http.post("/api/runs", json=world.body())
    assert response.status_code == 409
    assert response.json()["active_run_id"] == str(run_id)
    assert "the first" in response.json()["detail"]
    assert len((await world.http.get("/api/runs")).json()["items"]) == 1


async def _never() -> None:
    return None


async def test_body_that_is_not_json_is_refused(world: World) -> None:
    response = await world.http.post("/api/runs", content=b"{", headers={"content-type": "application/json"})
    assert (response.status_code, response.json()["title"]) == (400, "Not JSON")


async def test_unknown_run_item_format_and_cursor_are_refused(world: World) -> None:
    nobody = uuid4()
    for path in (
        f"/api/runs/{nobody}",
        f"/api/runs/{nobody}/items",
        f"/api/runs/{nobody}/events",
        f"/api/runs/{nobody}/export",
    ):
        assert (await world.http.get(path)).status_code == 404
    for order in ("pause", "resume", "cancel"):
        assert (await world.http.post(f"/api/runs/{nobody}/{order}")).status_code == 404
    run_id = await world.start()
    await world.until_status(run_id, "FINISHED")
    assert (await world.http.get(f"/api/runs/{run_id}/items/{nobody}")).status_code == 404
    assert (await world.http.get(f"/api/runs/{run_id}/export?format=xml")).status_code == 422
    for cursor in ("garbage", "W10", "WyIxIiwgIjIiXQ", "WyJhIl0"):
        assert (await world.http.get(f"/api/runs/{run_id}/items", params={"cursor": cursor})).status_code == 422
        assert (await world.http.get("/api/runs", params={"cursor": cursor})).status_code == 422
    assert (await world.http.get("/api/runs/not-a-uuid")).status_code == 422


async def test_foreign_origin_or_host_is_refused(world: World) -> None:
    response = await world.http.post("/api/runs", json=world.body(), headers={"origin": "http://evil.example"})
    assert response.status_code == 403
    assert (await world.http.get("/api/runs", headers={"host": "evil.example"})).status_code == 421


async def test_pages_of_runs_have_no_gap_and_no_repetition(world: World) -> None:
    for _ in range(3):
        await world.until_status(await world.start(), "FINISHED")
    seen, cursor = [], None
    while True:
        page = (await world.http.get("/api/runs", params={"limit": 1} | ({"cursor": cursor} if cursor else {}))).json()
        seen += [run["id"] for run in page["items"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert len(seen) == len(set(seen)) == 3
    assert seen == sorted(seen, reverse=True)
