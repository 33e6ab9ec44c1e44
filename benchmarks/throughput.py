"""A run from its start to its last verdict: how long it took, and what each process used for it."""

import asyncio
import json
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass
from uuid import UUID

import nats
from nats.aio.msg import Msg

from benchmarks.processes import PROVIDER, Use, use_of_children
from llmbench.contracts.registry import parse
from llmbench.contracts.run_status_changed import RunStatusChanged
from llmbench.contracts.run_words import RunOutcome, RunStatus
from llmbench.messaging.fence import fence
from tests.platform import Platform

PATIENCE_S = 1800.0


@dataclass(frozen=True)
class Took:
    """One run of `items` items: an answer and a verdict each, stored and shown."""

    items: int
    wall_s: float
    use: Use

    @property
    def cpu_ms_per_item(self) -> float:
        return 1000 * sum(seconds for name, seconds in self.use.cpu_s.items() if name != PROVIDER) / self.items


async def seed_items(stack: Platform, items: int) -> str:
    """A collection of so many tasks; returns its id."""
    lines = "\n".join(
        json.dumps(
            {"task_id": f"s{items}-{n}", "category": "sums", "question": f"What is {n} + {n}?", "good": str(2 * n)}
        )
        for n in range(items)
    )
    name = f"{items} sums"
    answer = await stack.http.post(
        "/api/tasks/import",
        params={"format": "jsonl", "file_name": "sums.jsonl", "collection_name": name},
        content=lines.encode(),
        timeout=600,
    )
    assert answer.is_success, answer.text
    found = await stack.get("/api/collections", q=name)
    collection_id: str = next(one["id"] for one in found["items"] if one["name"] == name)
    return collection_id


async def take(stack: Platform, collection_id: str, *, items: int, concurrency: int, latency_ms: int) -> Took:
    """Run it. The end is what everybody hears: the run's last status on its topic."""
    model = f"mock-{latency_ms}ms"
    async with AsyncExitStack() as opened:
        connection = await nats.connect(stack.nats_url)
        opened.push_async_callback(connection.close)
        finished: asyncio.Future[RunStatusChanged] = asyncio.get_running_loop().create_future()

        async def heard(message: Msg) -> None:
            event = parse(message.data)
            if isinstance(event, RunStatusChanged) and event.status == RunStatus.FINISHED and not finished.done():
                finished.set_result(event)

        await connection.subscribe("evt.run.*.status", cb=heard)
        await fence(connection)
        use = await opened.enter_async_context(use_of_children())
        began = time.perf_counter()
        run_id = UUID(
            await stack.start_run(
                model,
                judge=f"{model}-judge",
                collection_ids=[collection_id],
                concurrency=concurrency,
            )
        )
        event = await asyncio.wait_for(finished, PATIENCE_S)
        wall_s = time.perf_counter() - began
    assert event.run_id == run_id, "one run at a time"
    assert event.outcome == RunOutcome.COMPLETE, f"the run is {event.outcome}"
    return Took(items, wall_s, use)
