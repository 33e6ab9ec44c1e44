"""Measure a run from its creation to its end: its duration, and the resources of each program."""

import json
import time
from dataclasses import dataclass
from uuid import UUID

from benchmarks.processes import PROVIDER, Use, use_of_children
from benchmarks.run_events import run_events, until
from llmbench.contracts.run_status_changed import RunStatusChanged
from llmbench.contracts.run_words import RunOutcome, RunStatus
from tests.platform import Platform

PATIENCE_S = 1800.0
_MOST_IMPORTED = 50_000


@dataclass(frozen=True)
class Took:
    """The duration in seconds and the resources of one run of `items` items, each with an answer and a verdict."""

    items: int
    wall_s: float
    use: Use

    @property
    def cpu_ms_per_item(self) -> float:
        return 1000 * sum(seconds for name, seconds in self.use.cpu_s.items() if name != PROVIDER) / self.items


async def seed_items(stack: Platform, items: int) -> str:
    """Create a collection with `items` tasks, and return its id. `items` is at most 50,000, the limit of one import."""
    (collection_id,) = await seed_collections(stack, items)
    return collection_id


async def seed_collections(stack: Platform, items: int) -> list[str]:
    """Create `items` tasks in as many collections as necessary, because one import is limited to 50,000. Return the ids
    of the collections."""
    return [
        await _seed(stack, range(begin, min(begin + _MOST_IMPORTED, items)), prefix=f"s{items}")
        for begin in range(0, items, _MOST_IMPORTED)
    ]


async def _seed(stack: Platform, numbers: range, *, prefix: str) -> str:
    lines = "\n".join(json.dumps(_sum(f"{prefix}-{n}", n)) for n in numbers)
    name = f"{prefix} from {numbers.start}"
    answer = await stack.http.post(
        "/api/tasks/import",
        params={"format": "jsonl", "file_name": "sums.jsonl", "collection_name": name},
        content=lines.encode(),
        timeout=600,
    )
    assert answer.is_success, answer.text
    found = await stack.get("/api/collections", q=name)
    collection_id: str = next(collection["id"] for collection in found["items"] if collection["name"] == name)
    return collection_id


def _sum(task_id: str, n: int) -> dict[str, str]:
    return {"task_id": task_id, "category": "sums", "question": f"What is {n} + {n}?", "good": str(2 * n)}


async def take(stack: Platform, collection_id: str, *, items: int, concurrency: int, latency_ms: int) -> Took:
    """Run a benchmark of the collection, which has `items` tasks, and return its duration and resources.

    `latency_ms` is the latency of each call of the mock model and its judge. Raises TimeoutError after `PATIENCE_S`,
    and AssertionError if an item fails.
    """
    model = f"mock-{latency_ms}ms"
    async with run_events(stack, RunStatusChanged) as events, use_of_children() as use:
        began = time.perf_counter()
        run_id = UUID(
            await stack.start_run(
                model,
                judge=f"{model}-judge",
                collection_ids=[collection_id],
                concurrency=concurrency,
            )
        )
        event = await until(events, lambda event: event.status == RunStatus.FINISHED, timeout_s=PATIENCE_S)
        wall_s = time.perf_counter() - began
    assert event.run_id == run_id, "one run at a time"
    assert event.outcome == RunOutcome.COMPLETE, f"the run is {event.outcome}"
    return Took(items, wall_s, use)
