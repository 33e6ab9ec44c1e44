"""Test that one request tags or deletes several runs. If one of them may not be changed, none is."""

from typing import Any
from uuid import UUID, uuid4

from made_runs import cases, made_run
from run_world import World
from sqlalchemy import func, select, update

from llmbench.db import tables as t
from llmbench.ids import new_id


async def _post(world: World, path: str, run_ids: list[UUID], **more: Any) -> Any:
    return await world.http.post(f"/api/runs/{path}", json={"run_ids": [str(each) for each in run_ids], **more})


async def _made(world: World, *names: str) -> list[UUID]:
    template = await world.start("model-a", name="template")
    await world.until_status(template, "FINISHED")
    columns = [await made_run(world, template, cases([0.5]), name=name) for name in names]
    return [template, *(UUID(column.partition(":")[0]) for column in columns)]


async def _rows(world: World, table: Any) -> int:
    async with world.engine.connect() as connection:
        return int((await connection.execute(select(func.count()).select_from(table))).scalar_one())


async def _tags(world: World, run_id: UUID) -> list[str]:
    tags: list[str] = (await world.http.get(f"/api/runs/{run_id}")).json()["tags"]
    return tags


async def test_tags_are_added_to_and_removed_from_several_runs(world: World) -> None:
    ids = await _made(world, "second", "third")
    assert (await _post(world, "tag", ids[:2], add=["nightly", "good"])).json() == {"changed": 2}
    assert (await _post(world, "tag", ids, add=["good"], remove=["nightly", "unused"])).json() == {"changed": 3}
    assert [await _tags(world, run_id) for run_id in ids] == [["good"]] * 3
    assert (await _post(world, "tag", ids, add=["good"])).json() == {"changed": 0}


async def test_tags_that_cannot_be_given_to_every_run_are_given_to_none(world: World) -> None:
    ids = await _made(world, "full")
    async with world.engine.begin() as connection:
        tags = [f"tag {number}" for number in range(20)]
        await connection.execute(update(t.run).where(t.run.c.id == ids[1]).values(tags=tags))
    full = await _post(world, "tag", ids, add=["one more"])
    assert (full.status_code, full.json()["errors"][0]["field"]) == (422, "add")
    assert "'full' would have more than 20 tags" in full.json()["detail"]
    unknown = uuid4()
    missing = await _post(world, "tag", [*ids, unknown], add=["x"])
    assert (missing.status_code, str(unknown) in missing.json()["detail"]) == (404, True)
    assert await _tags(world, ids[0]) == []
    for nothing in ({}, {"add": ["x"], "remove": ["x"]}, {"add": [""]}, {"add": ["x" * 61]}, {"other": 1}):
        assert (await _post(world, "tag", ids, **nothing)).status_code == 422, nothing
    assert (await _post(world, "tag", [], add=["x"])).status_code == 422
    assert (await _post(world, "tag", [uuid4() for _ in range(101)], add=["x"])).status_code == 422


async def test_several_runs_are_deleted_with_all_their_rows(world: World) -> None:
    ids = await _made(world, "second", "kept")
    kept_items = await _rows(world, select(t.item).where(t.item.c.run_id == ids[2]).subquery())
    gone = uuid4()
    response = await _post(world, "delete", [ids[1], gone, ids[0], ids[1]])
    assert response.status_code == 200
    assert sorted(response.json()["deleted"]) == sorted(map(str, ids[:2]))
    assert response.json()["missing"] == [str(gone)]
    assert [run["id"] for run in (await world.http.get("/api/runs")).json()["items"]] == [str(ids[2])]
    assert (await _rows(world, t.run), await _rows(world, t.item)) == (1, kept_items)


async def test_run_and_its_judge_check_are_deleted_by_one_request(world: World) -> None:
    ids = await _made(world, "check", "kept")
    async with world.engine.begin() as connection:
        await connection.execute(update(t.run).where(t.run.c.id == ids[1]).values(check_of_run_id=ids[0]))
    response = await _post(world, "delete", [ids[1], ids[0]])
    assert (response.status_code, response.json()["missing"]) == (200, [])
    assert sorted(response.json()["deleted"]) == sorted(map(str, ids[:2]))
    assert await _rows(world, t.run) == 1


async def test_one_run_that_cannot_be_deleted_keeps_all_of_them(world: World) -> None:
    ids = await _made(world, "active", "promoted")
    async with world.engine.begin() as connection:
        active = {"status": "RUNNING", "finished_at": None, "outcome": None, "concurrent": True}
        await connection.execute(update(t.run).where(t.run.c.id == ids[1]).values(**active))
        preset = {"id": new_id(), "name": "Preset"}
        await connection.execute(t.evaluation_preset.insert().values(**preset))
        of_preset = {"preset_id": preset["id"], "label": "main", "run_id": ids[2], "anchor_run_id": ids[2]}
        await connection.execute(t.baseline.insert().values(id=new_id(), **of_preset))
    items = await _rows(world, t.item)
    refused = await _post(world, "delete", ids)
    assert refused.status_code == 409
    problem = refused.json()
    assert problem["detail"].startswith("No run was deleted.")
    assert {each["run_id"]: each["name"] for each in problem["refused"]} == {
        str(ids[1]): "active",
        str(ids[2]): "promoted",
    }
    assert "'active' is RUNNING" in problem["detail"]
    assert "'promoted' is the baseline or the anchor 'main'" in problem["detail"]
    assert (await _rows(world, t.run), await _rows(world, t.item)) == (3, items)
