"""The run page while 20,000 rows receive 200 events a second, through the real gateway."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from uuid import UUID

import nats
from aiohttp import web

from benchmarks.browser import measured_by
from benchmarks.large_runs import SEED_TASKS, finished_run
from benchmarks.scenario import Measure, Scenario
from llmbench.contracts.item_changed import ItemChanged, ItemRow
from llmbench.contracts.item_failure import ItemFailure
from llmbench.contracts.run_words import ItemStatus, RunPhase
from llmbench.messaging.publish import publish_durably
from llmbench_cli.embedded.ports import LOOPBACK, free_port
from tests.platform import Platform, platform

ITEMS = 20_000
EVENTS_PER_SECOND = 200
SECONDS = 10
_BATCH_S = 0.05


@asynccontextmanager
async def feed(stack: Platform, run_id: str) -> AsyncIterator[str]:
    """`POST /` lets the run's items change for a while, each once; the answer says how many did."""
    rows = [ItemRow.model_validate(one) for one in await stack.items(run_id)]
    last_seq = (await stack.get(f"/api/runs/{run_id}"))["last_seq"]
    connection = await nats.connect(stack.nats_url)
    js = connection.jetstream()
    sent = 0

    async def change(number: int) -> None:
        # Spread over the table.
        row = rows[number * 7919 % len(rows)]
        failure = ItemFailure(phase=RunPhase.JUDGING, kind="unparsed", message="no verdict", retryable=True)
        event = ItemChanged(
            run_id=UUID(run_id),
            run_seq=last_seq + number,
            at=datetime.now(UTC),
            item=row.model_copy(update={"status": ItemStatus.FAILED, "failure": failure}),
        )
        await publish_durably(js, event, service="benchmark")

    async def go(_: web.Request) -> web.Response:
        nonlocal sent
        began = time.monotonic()
        while (passed := time.monotonic() - began) < SECONDS:
            due = int(passed * EVENTS_PER_SECOND)
            await asyncio.gather(*(change(number) for number in range(sent + 1, due + 1)))
            sent = max(sent, due)
            await asyncio.sleep(_BATCH_S)
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
        await connection.close()


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
