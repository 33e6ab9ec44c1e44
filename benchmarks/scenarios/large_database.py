"""Measure how long pages, statistics and exports take on a database of 2,400,000 items in 202 runs."""

import asyncio
import time
from collections.abc import Mapping
from functools import partial
from typing import Any

import asyncpg

from benchmarks.large_runs import SEED_TASKS, copies
from benchmarks.processes import use_of_children
from benchmarks.scenario import Measure, Scenario
from benchmarks.took import took
from tests.platform import Platform, platform

SMALL_RUNS, SMALL_ITEMS = 200, 10_000
MIDDLE_ITEMS, LARGE_ITEMS = 100_000, 300_000
FORMATS = ("csv", "jsonl", "json", "parquet", "junit", "benchmark-record")
_PAGE = "300 or less"
_WITHOUT_FSYNC = {"fsync": "off"}
"""PostgreSQL's settings. Without fsync, this many rows can be created in reasonable time. The measured requests only
read."""
_UNCOUNTED = """
    SELECT (SELECT count(*) FROM run_block LEFT JOIN counted_block USING (run_id, block)
            WHERE counted_block.version IS DISTINCT FROM run_block.version)
         + (SELECT count(*) FROM run LEFT JOIN run_ranking ON run_ranking.run_id = run.id
            WHERE run_ranking.run_id IS NULL AND item_count > 5000)
"""
# The filters and orders of a page of rows. They are applied to the largest run, which has the most rows to search.
_ROWS: Mapping[str, Mapping[str, Any]] = {
    "the first 100 rows": {"limit": 100},
    "500 rows": {"limit": 500},
    "of one status": {"status": "FAILED", "limit": 100},
    "of one category": {"category": "topic-3", "limit": 100},
    "that did not pass": {"passed": "false", "limit": 100},
    "of one outcome": {"outcome": "scored", "limit": 100},
    "by score": {"sort": "score", "order": "desc", "limit": 100},
    "by time": {"sort": "time_ms", "order": "desc", "limit": 100},
    "by name": {"sort": "task_id", "limit": 100},
    "failed ones by name": {"status": "FAILED", "sort": "task_id", "limit": 100},
    "with a word that few have": {"q": "sum-017-149967", "limit": 100},
}


async def measure() -> list[Measure]:
    async with platform(tasks=SEED_TASKS, database_settings=_WITHOUT_FSYNC) as stack:
        stack.http.timeout = 1200
        began = time.monotonic()
        async with copies(stack) as copy:
            for _ in range(SMALL_RUNS):
                small = await copy(SMALL_ITEMS)
            middle = await copy(MIDDLE_ITEMS)
            large = await copy(LARGE_ITEMS)
        made_s = time.monotonic() - began
        size = await _counted(stack)
        return [
            Measure("made", made_s, "s"),
            Measure("made and counted", time.monotonic() - began, "s"),
            Measure("on disk", size / 1024**3, "GB"),
            *[
                measured
                for run, items in ((small, SMALL_ITEMS), (middle, MIDDLE_ITEMS))
                for measured in await _run(stack, run, items)
            ],
            *await pages(stack, large, LARGE_ITEMS),
            *[measured for format_ in FORMATS for measured in await export(stack, large, LARGE_ITEMS, format_)],
        ]


async def _counted(stack: Platform) -> int:
    """Wait until the platform has computed all statistics. Return the size of the database in bytes."""
    connection = await asyncpg.connect(stack.database_url)
    try:
        while await connection.fetchval(_UNCOUNTED):  # noqa: ASYNC110  # the database sends no notification
            await asyncio.sleep(1)
        await connection.execute("VACUUM ANALYZE")
        size: int = await connection.fetchval("SELECT pg_database_size(current_database())")
        return size
    finally:
        await connection.close()


async def _run(stack: Platform, run_id: str, items: int) -> list[Measure]:
    run = f"/api/runs/{run_id}"
    return [
        await took(f"{items:,} items: the run", partial(stack.get, run), aim=_PAGE),
        await took(f"{items:,} items: the first 100 rows", partial(stack.get, f"{run}/items", limit=100), aim=_PAGE),
    ]


async def pages(stack: Platform, run_id: str, items: int) -> list[Measure]:
    run = f"/api/runs/{run_id}"
    targets = [target["id"] for target in (await stack.get(run))["targets"]]
    columns = {"column": [f"{run_id}:{target}" for target in targets]}
    requests: dict[str, tuple[str, Mapping[str, Any]]] = {
        "the run": (run, {}),
        "its spread": (f"{run}/distribution", {}),
        **{f"rows: {name}": (f"{run}/items", query) for name, query in _ROWS.items()},
        "how many did not pass": (f"{run}/items/count", {"passed": "false"}),
        "the log": (f"{run}/log", {}),
        "its targets compared": ("/api/comparisons", columns),
        "the cases of a comparison": ("/api/comparisons/cases", columns | {"limit": 50}),
        "figures of each task": (run, {"include": "tasks"}),
        "the list of runs": ("/api/runs", {}),
        "the list of runs, the last of it": ("/api/runs", {"limit": 100, "q": "10000"}),
        "the list of tasks": ("/api/tasks", {}),
        "the list of providers": ("/api/providers", {}),
        "the list of datasets": ("/v1/datasets", {}),
    }
    return [
        await took(f"{items:,} items: {name}", partial(stack.get, path, **query), aim=_PAGE)
        for name, (path, query) in requests.items()
    ]


async def export(stack: Platform, run_id: str, items: int, format_: str) -> list[Measure]:
    size = 0
    async with use_of_children() as use:
        began = time.perf_counter()
        request = stack.http.stream("GET", f"/api/runs/{run_id}/export", params={"format": format_})
        async with request as response:
            response.raise_for_status()
            async for chunk in response.aiter_raw():
                size += len(chunk)
        seconds = time.perf_counter() - began
    what = f"{items:,} items as {format_}"
    return [
        Measure(what, items / seconds, "rows/s", "50,000 or more" if format_ == "csv" else None),
        Measure(f"{what}: CPU of the orchestrator", use.cpu_s.get("orchestrator", 0.0) / items * 1e6, "µs/row"),
        Measure(f"{what}: CPU of PostgreSQL", use.cpu_s.get("postgres", 0.0) / items * 1e6, "µs/row"),
        Measure(
            f"{what}: memory of the orchestrator",
            use.memory_bytes.get("orchestrator", 0) / 1024**2,
            "MB",
            "200 or less",
        ),
        Measure(f"{what}: size", size / 1024**2, "MB"),
    ]


SCENARIO = Scenario(name="large_database", title="2,400,000 items in 202 runs", measure=measure)
