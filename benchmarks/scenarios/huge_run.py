"""Measure response times of requests about a finished run of 300,000 items, such as for its rows and its deletion."""

import asyncpg

from benchmarks.large_runs import SEED_TASKS, finished_run
from benchmarks.scenario import Measure, Scenario
from benchmarks.took import took
from tests.platform import Platform, platform

ITEMS = 300_000
OTHER_ITEMS = 100_000


async def measure() -> list[Measure]:
    async with platform(tasks=SEED_TASKS) as stack:
        stack.http.timeout = 600
        other_id = await finished_run(stack, OTHER_ITEMS)
        await stack.get(f"/api/runs/{other_id}")
        run_id = await finished_run(stack, ITEMS)
        run = f"/api/runs/{run_id}"
        return [
            await took("the run, counted for the first time", lambda: stack.get(run), times=1),
            await took("the run", lambda: stack.get(run), aim="300 or less"),
            await took("the run, a block of it changed", lambda: _changed(stack, run_id), aim="300 or less"),
            await took("the first 100 rows", lambda: stack.get(f"{run}/items", limit=100), aim="300 or less"),
            await took("500 rows", lambda: stack.get(f"{run}/items", limit=500), aim="300 or less"),
            await took("how scores and times are spread", lambda: stack.get(f"{run}/distribution"), aim="300 or less"),
            await took("the list of runs", lambda: stack.get("/api/runs"), aim="300 or less"),
            await took("the run, deleted", lambda: stack.http.delete(run), times=1),
        ]


async def _changed(stack: Platform, run_id: str) -> None:
    """Mark a block of the run, a set of items with stored statistics, as changed. The orchestrator does this when it
    changes an item. Then request the run, so that these statistics are computed again."""
    connection = await asyncpg.connect(stack.database_url.replace("+asyncpg", ""))
    try:
        await connection.execute("UPDATE run_block SET version = version + 1 WHERE run_id = $1 AND block = 3", run_id)
    finally:
        await connection.close()
    await stack.get(f"/api/runs/{run_id}")


SCENARIO = Scenario(name="huge_run", title="A run of 300,000 items is asked for", measure=measure)
