"""Test that the data of a run stays unchanged, whatever happens to the tasks and collections that it used."""

from typing import Any
from uuid import UUID

import httpx
from config_api_asserting import create_resource
from sqlalchemy import insert, select
from sqlalchemy.ext.asyncio import AsyncEngine

from llmbench.contracts.case import Case
from llmbench.db.tables import item, run, run_collection, run_group, target
from llmbench.ids import DEFAULT_ORG_ID, new_id


async def _run_of(engine: AsyncEngine, *, provider_id: str, task: dict[str, Any], collection: dict[str, Any]) -> UUID:
    """Insert a run with one item as the orchestrator would, and return its id."""
    run_id, group_id, target_id, provider = new_id(), new_id(), new_id(), UUID(provider_id)
    case = Case.model_validate(task)
    bounds = {"timeout_s": 60, "max_attempts": 3}
    model = {"run_id": run_id, "provider_id": provider, "model": "m", "position": 1}
    of_run = {
        **{"id": run_id, "org_id": DEFAULT_ORG_ID, "name": "R", "status": "RUNNING", "phase": "BENCHMARKING"},
        **{"judge_provider_id": provider, "judge_provider_name": "J", "judge_model": "m", **bounds},
        **{"concurrency": 1, "max_backoff_s": 60},
    }
    of_group = {
        **{"id": group_id, "phase": "BENCHMARKING", "token": "t", **model},
        **{"concurrency": 1, "releases": True, "status": "OPEN"},
    }
    of_target = {"id": target_id, "group_id": group_id, "label": "T", "provider_name": "P", **model, **bounds}
    of_item = {
        **{"id": new_id(), "run_id": run_id, "target_id": target_id, "group_id": group_id, "position": 1},
        **{"task_id": case.task_id, "category": case.category, "case": case.model_dump(mode="json"), "status": "NEW"},
    }
    used = {"run_id": run_id, "collection_id": UUID(collection["id"]), "name": collection["name"]}
    async with engine.begin() as connection:
        for table, values in ((run, of_run), (run_collection, used), (run_group, of_group), (target, of_target)):
            await connection.execute(insert(table).values(values))
        await connection.execute(insert(item).values(of_item))
    return run_id


async def test_run_keeps_its_copy_when_its_tasks_are_changed_or_deleted(
    api: httpx.AsyncClient, engine: AsyncEngine
) -> None:
    provider = await create_resource(api, "/api/providers", name="P", type="OLLAMA")
    task = await create_resource(api, "/api/tasks", task_id="sum", category="c", question="17 + 25?", **{"pass": "42"})
    collection = await create_resource(api, "/api/collections", name="Basics", task_ids=[task["id"]])
    run_id = await _run_of(engine, provider_id=provider["id"], task=task, collection=collection)

    edited = {"task_id": "sum", "category": "c", "question": "another"}
    assert (await api.put(f"/api/tasks/{task['id']}", json=edited)).status_code == 200
    assert (await api.post("/api/tasks/delete", json={"ids": [task["id"]]})).json() == {"deleted": 1}
    assert (await api.delete(f"/api/collections/{collection['id']}")).status_code == 204

    async with engine.connect() as connection:
        kept = (await connection.execute(select(item.c.case).where(item.c.run_id == run_id))).scalar_one()
        names = (await connection.execute(select(run_collection.c.name).where(run_collection.c.run_id == run_id))).all()
    assert Case.model_validate(kept) == Case.model_validate(task)
    assert [row.name for row in names] == ["Basics"]
