"""Test that a run is paused when its organisation's budget is used up, and stays paused after kills of the
orchestrator.

Only calls that were sent before the pause are paid.
"""

import asyncio
from uuid import UUID

import asyncpg
import pytest

from tests.journey.conftest import Seeded

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.never_rerun]

MODEL = "mock-0ms-paid"
TASKS = 40
BEFORE = 4
"""The number of calls before the one that is held: the warm-up, and three items."""


async def test_budget_pauses_a_run_through_kills_and_pays_for_nothing_more(seeded: Seeded) -> None:
    stack = await seeded(tasks=TASKS)
    price = {"model": MODEL, "input_usd_per_million": 1_000, "output_usd_per_million": 1_000}
    provider = {"name": "Paid", "type": "OPENAI", "base_url": stack.provider_url, "prices": [price]}
    provider_id = (await stack.post("/api/providers", provider))["id"]
    connection = await asyncpg.connect(stack.database_url)
    try:
        await connection.execute("SET app.everybody = 'on'")
        await stack.control(model=MODEL, hold=BEFORE)
        run_id = await stack.start_run(
            judge=None,
            targets=[{"provider_id": provider_id, "model": MODEL}],
            evaluators=[{"kind": "contains", "params": {"text": "a"}}],
        )
        await stack.until_held(MODEL)
        # The budget is what has been paid so far, so the answer that is under way exceeds it.
        await set_budget(connection, await spent(connection))
        await stack.services["orchestrator"].kill()
        sent = await connection.fetchval(
            "SELECT count(*) FROM item WHERE run_id = $1 AND status <> 'NEW'", UUID(run_id)
        )
        assert sent < TASKS, "the window is smaller than the run"
        await stack.control(model=MODEL, hold=None)
        await stack.until_ledger(lambda calls: sum(call["answered"] is True for call in calls) > BEFORE)
        await stack.services["orchestrator"].start()
        run = await stack.until_status(run_id, "PAUSED")
        assert "the organisation's budget" in run["status_reason"]
        paid = await stack.ledger()
        assert BEFORE < len(paid) <= 1 + sent, (
            "nothing is called that was not in flight when the orchestrator was killed"
        )

        await stack.services["orchestrator"].kill()
        await stack.services["orchestrator"].start()
        # The orchestrator repairs its unfinished runs before it answers these requests.
        refused = await stack.http.post(f"/api/runs/{run_id}/resume")
        assert (refused.status_code, refused.json()["type"]) == (402, "budget-spent")
        assert (await stack.get(f"/api/runs/{run_id}"))["status"] == "PAUSED"
        assert await stack.ledger() == paid, "a paused run makes no call"

        await set_budget(connection, 1_000_000.0)
        await stack.post(f"/api/runs/{run_id}/resume")
        run = await stack.until_status(run_id, "FINISHED")
        assert (run["outcome"], run["counts"]["answered"]) == ("complete", TASKS)
        calls = await stack.ledger()
        assert len({call["call_id"] for call in calls}) == len(calls), "no call is paid for twice"
        assert len(calls) == TASKS + 2, "each item once, and a warm-up before and after the pause"
        assert run["unpriced_calls"] == 0
    finally:
        await set_budget(connection, None)
        await connection.close()


async def spent(connection: "asyncpg.Connection[asyncpg.Record]") -> float:
    """Return what the organisation has spent, in US dollars, once a paid answer is counted."""
    async with asyncio.timeout(240):
        while not (usd := await connection.fetchval("SELECT sum(cost_usd) FROM usage_of_day")):
            await asyncio.sleep(0.05)
    return float(usd)


async def set_budget(connection: "asyncpg.Connection[asyncpg.Record]", usd: float | None) -> None:
    setting = "UPDATE organisation SET settings = jsonb_build_object('cost_budget_monthly_usd', $1::float8)"
    await connection.execute(setting, usd)
