"""A finished run of 300,000 items, as the server sees it: its page, its rows, and its end."""

import time
from collections.abc import Awaitable, Callable
from statistics import median
from typing import Any

import asyncpg

from benchmarks.large_runs import SEED_TASKS, finished_run
from benchmarks.scenario import Measure, Scenario
from tests.platform import Platform, platform

ITEMS = 300_000
OTHER_ITEMS = 100_000
_TIMES = 5


async def measure() -> list[Measure]:
    async with platform(tasks=SEED_TASKS) as stack:
        stack.http.timeout = 600
        other_id = await finished_run(stack, OTHER_ITEMS)
        await stack.get(f"/api/runs/{other_id}")
        run_id = await finished_run(stack, ITEMS)
        run = f"/api/runs/{run_id}"
        return [
            await _took("the run, counted for the first time", lambda: stack.get(run), times=1),
            await _took("the run", lambda: stack.get(run), aim="300 or less"),
            await _took("the run, a block of it changed", lambda: _changed(stack, run_id), aim="300 or less"),
            await _took("the first 100 rows", lambda: stack.get(f"{run}/items", limit=100), aim="300 or less"),
            await _took("500 rows", lambda: stack.get(f"{run}/items", limit=500), aim="300 or less"),
            await _took("how scores and times are spread", lambda: stack.get(f"{run}/distribution"), aim="300 or less"),
            await _took("the list of runs", lambda: stack.get("/api/runs"), aim="300 or less"),
            await _took("the run, deleted", lambda: stack.http.delete(run), times=1),
        ]


async def _took(
    name: str, ask: Callable[[], Awaitable[Any]], *, times: int = _TIMES, aim: str | None = None
) -> Measure:
    """The median."""
    took = []
    for _ in range(times):
        began = time.perf_counter()
        await ask()
        took.append((time.perf_counter() - began) * 1000)
    return Measure(name, median(took), "ms", aim)


async def _changed(stack: Platform, run_id: str) -> None:
    """As whoever leads the run marks the block of what he changes."""
    connection = await asyncpg.connect(stack.database_url.replace("+asyncpg", ""))
    try:
        await connection.execute("UPDATE run_block SET version = version + 1 WHERE run_id = $1 AND block = 3", run_id)
    finally:
        await connection.close()
    await stack.get(f"/api/runs/{run_id}")


SCENARIO = Scenario(name="huge_run", title="A run of 300,000 items is asked for", measure=measure)
