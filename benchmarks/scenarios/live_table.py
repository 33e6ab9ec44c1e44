"""Measure how fast the page of a run with 20,000 rows responds while it receives 200 events a second."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web

from benchmarks.browser import measured_by
from benchmarks.changes import change_items
from benchmarks.large_runs import SEED_TASKS, finished_run
from benchmarks.scenario import Measure, Scenario
from llmbench_cli.embedded.ports import LOOPBACK, free_port
from tests.platform import Platform, platform

ITEMS = 20_000
EVENTS_PER_SECOND = 200
SECONDS = 10


@asynccontextmanager
async def feed(stack: Platform, run_id: str) -> AsyncIterator[str]:
    """Serve `POST /`, which publishes 200 changes of the run's items a second for 10 seconds, and yield its URL.

    The response is JSON with the number of changes `sent` and the duration `seconds`.
    """

    async def go(_: web.Request) -> web.Response:
        sent = await change_items(stack, run_id, per_second=EVENTS_PER_SECOND, seconds=SECONDS)
        return web.json_response({"sent": sent, "seconds": SECONDS})

    app = web.Application()
    app.add_routes([web.post("/", go)])
    runner = web.AppRunner(app)
    await runner.setup()
    port = free_port()
    await web.TCPSite(runner, LOOPBACK, port).start()
    try:
        yield f"http://{LOOPBACK}:{port}/"
    finally:
        await runner.cleanup()


async def measure() -> list[Measure]:
    async with platform(tasks=SEED_TASKS) as stack:
        run_id = await finished_run(stack, ITEMS)
        async with feed(stack, run_id) as feed_url:
            return await measured_by(
                "live-table",
                url=stack.url,
                LLMBENCH_BENCH_RUN=run_id,
                LLMBENCH_BENCH_ITEMS=str(ITEMS),
                LLMBENCH_BENCH_FEED=feed_url,
            )


SCENARIO = Scenario(name="live_table", title="20,000 rows, 200 events a second, while one scrolls", measure=measure)
