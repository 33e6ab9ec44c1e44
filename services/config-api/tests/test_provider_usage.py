"""Test which changes of a provider are refused because runs use it, and how the problem names the runs."""

from uuid import UUID

import httpx
import pytest
from config_api_asserting import assert_problem, create_resource
from sqlalchemy import delete, insert, update
from sqlalchemy.ext.asyncio import AsyncEngine

from llmbench.db.tables import run, run_group
from llmbench.ids import DEFAULT_ORG_ID, new_id

PROVIDER = {"name": "P", "type": "CUSTOM_OPEN_AI_COMPATIBLE", "base_url": "http://127.0.0.1:9000"}


async def _begin_run(engine: AsyncEngine, *, name: str, judge: str, model_from: str) -> UUID:
    """Insert an active run as the orchestrator would, and return its id. `judge` is the id of the judge's provider,
    `model_from` that of the target's provider."""
    id_ = new_id()
    values = {
        "id": id_,
        "org_id": DEFAULT_ORG_ID,
        "name": name,
        "status": "RUNNING",
        "phase": "BENCHMARKING",
        "concurrency": 1,
        "timeout_s": 60,
        "max_attempts": 3,
        "max_backoff_s": 60,
        "judge_provider_id": UUID(judge),
        "judge_provider_name": "J",
        "judge_model": "m",
    }
    group = {
        "id": new_id(),
        "run_id": id_,
        "phase": "BENCHMARKING",
        "position": 1,
        "provider_id": UUID(model_from),
        "model": "m",
        "token": "t",
        "concurrency": 1,
        "releases": True,
        "status": "OPEN",
    }
    async with engine.begin() as connection:
        await connection.execute(insert(run).values(values))
        await connection.execute(insert(run_group).values(group))
    return id_


async def _finish_run(engine: AsyncEngine, id_: UUID) -> None:
    async with engine.begin() as connection:
        ended = {"status": "FINISHED", "outcome": "complete", "finished_at": run.c.created_at}
        await connection.execute(update(run).where(run.c.id == id_).values(ended))


@pytest.mark.parametrize("role", ["judge", "target"])
async def test_server_of_a_provider_cannot_change_during_a_run(
    api: httpx.AsyncClient, engine: AsyncEngine, role: str
) -> None:
    judge = str((await create_resource(api, "/api/providers", **{**PROVIDER, "name": "judge"}))["id"])
    target = str((await create_resource(api, "/api/providers", **{**PROVIDER, "name": "target"}))["id"])
    run_id = await _begin_run(engine, name="night", judge=judge, model_from=target)
    path = f"/api/providers/{judge if role == 'judge' else target}"

    for change in ({"base_url": "http://127.0.0.1:9001"}, {"type": "OLLAMA"}):
        problem = assert_problem(await api.put(path, json={**PROVIDER, "name": role, **change}), 409)
        assert problem["runs"] == [{"id": str(run_id), "name": "night"}]
        assert "'night'" in str(problem["detail"])
        assert (await api.get(path)).json()["version"] == 1

    # A name, a path or a corrected key may change, because such changes can repair a paused run.
    header = {"header_key": "Authorization", "header_value": "Bearer corrected", "is_secret": True}
    changes = {"base_url": "http://127.0.0.1:9000/v1", "name": "better", "headers": [header]}
    assert (await api.put(path, json={**PROVIDER, **changes})).status_code == 200

    await _finish_run(engine, run_id)
    assert (await api.put(path, json={**PROVIDER, "base_url": "http://127.0.0.1:9001"})).status_code == 200


@pytest.mark.parametrize("role", ["judge", "target"])
async def test_provider_used_by_a_run_cannot_be_deleted(api: httpx.AsyncClient, engine: AsyncEngine, role: str) -> None:
    judge = str((await create_resource(api, "/api/providers", **{**PROVIDER, "name": "judge"}))["id"])
    target = str((await create_resource(api, "/api/providers", **{**PROVIDER, "name": "target"}))["id"])
    run_id = await _begin_run(engine, name="night", judge=judge, model_from=target)
    await _finish_run(engine, run_id)
    path = f"/api/providers/{judge if role == 'judge' else target}"

    problem = assert_problem(await api.delete(path), 409)
    assert problem["runs"] == [{"id": str(run_id), "name": "night"}]
    assert (await api.get(path)).status_code == 200

    async with engine.begin() as connection:
        await connection.execute(delete(run).where(run.c.id == run_id))
    assert (await api.delete(path)).status_code == 204


async def test_deletion_conflict_lists_the_newest_20_runs(api: httpx.AsyncClient, engine: AsyncEngine) -> None:
    provider = str((await create_resource(api, "/api/providers", **PROVIDER))["id"])
    for number in range(25):
        run_id = await _begin_run(engine, name=f"run {number}", judge=provider, model_from=provider)
        await _finish_run(engine, run_id)
    problem = assert_problem(await api.delete(f"/api/providers/{provider}"), 409)
    runs = problem["runs"]
    assert isinstance(runs, list)
    assert [entry["name"] for entry in runs[:2]] == ["run 24", "run 23"]
    assert len(runs) == 20
    assert str(problem["detail"]).endswith("and others.")
