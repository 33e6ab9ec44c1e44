"""Test that a firing, a due start of a schedule, survives SIGKILL of the orchestrator. The kill comes before the run is
created, or before the run is stored with the firing."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

import asyncpg
import pytest

from tests.journey.conftest import Seeded
from tests.platform import Platform

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.never_rerun]

TASKS = 3
MODEL = "mock-0ms-scheduled"
LEAP_DAY = "0 0 29 2 *"


@asynccontextmanager
async def locked(stack: Platform, table: str, id_: str) -> AsyncIterator[None]:
    """Hold the lock of a row, so that a transaction that needs it waits."""
    connection = await asyncpg.connect(stack.database_url)
    try:
        async with connection.transaction():
            await connection.execute(f"SELECT 1 FROM {table} WHERE id = $1 FOR UPDATE", UUID(id_))
            yield
    finally:
        await connection.close()


async def value(stack: Platform, query: str, *arguments: object) -> object:
    connection = await asyncpg.connect(stack.database_url)
    try:
        return await connection.fetchval(query, *arguments)
    finally:
        await connection.close()


async def until(stack: Platform, query: str, *arguments: object, is_: object) -> None:
    async with asyncio.timeout(240):
        while await value(stack, query, *arguments) != is_:
            await asyncio.sleep(0.05)


@pytest.mark.shows("I-32")
async def test_firing_survives_kills_before_and_after_its_run_is_created(seeded: Seeded) -> None:
    stack = await seeded(tasks=TASKS)
    orchestrator = stack.services["orchestrator"]
    what = {"kind": "run", "request": stack.run_body(MODEL)}
    body = {"name": "Rare", "cron": LEAP_DAY, "time_zone": "Europe/Berlin", "what": what}
    schedule_id = UUID((await stack.post("/api/schedules", body))["id"])
    attempts = "SELECT attempts FROM schedule_firing WHERE schedule_id = $1"
    runs = "SELECT count(*) FROM run WHERE schedule_id = $1"
    end_lease = "UPDATE schedule_firing SET leased_until = now() WHERE schedule_id = $1"

    await orchestrator.kill()
    # Let a due time pass during the outage.
    await value(stack, "UPDATE schedule SET next_due_at = now() - interval '1 hour' WHERE id = $1", schedule_id)
    async with locked(stack, "provider", stack.provider_id):
        await orchestrator.start()
        await until(stack, attempts, schedule_id, is_=1)
        await orchestrator.kill()
        assert await value(stack, runs, schedule_id) == 0
        await value(stack, end_lease, schedule_id)
        await orchestrator.start()
        await until(stack, attempts, schedule_id, is_=2)
        firing_id = str(await value(stack, "SELECT id FROM schedule_firing WHERE schedule_id = $1", schedule_id))
        after_creation = locked(stack, "schedule_firing", firing_id)
        await after_creation.__aenter__()
    try:
        await until(stack, runs, schedule_id, is_=1)
        await orchestrator.kill()
    finally:
        await after_creation.__aexit__(None, None, None)
    assert await value(stack, "SELECT status FROM schedule_firing WHERE schedule_id = $1", schedule_id) == "STARTING"
    await value(stack, end_lease, schedule_id)
    await orchestrator.start()
    await until(stack, "SELECT status FROM schedule_firing WHERE schedule_id = $1", schedule_id, is_="STARTED")

    [firing] = (await stack.get(f"/api/schedules/{schedule_id}/firings"))["items"]
    run = await stack.until_status(firing["run"]["id"], "FINISHED")
    assert (run["outcome"], run["schedule"]["name"]) == ("complete", "Rare")
    assert await value(stack, runs, schedule_id) == 1
    calls = [call for call in await stack.ledger() if call["model"] == MODEL]
    assert len(calls) == TASKS + 1, "one warm-up, and each task once"
