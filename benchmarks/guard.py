"""A short run against the bare loop, in CPU time: whether the platform has become slower than it was.

CPU time and no wall time, and the loop's in the same minute: a machine that others use too makes both larger. The
least of several is what the code itself costs.
"""

import json
import time
from pathlib import Path

from benchmarks.bare_loop import bare_loop
from benchmarks.processes import PROVIDER, use_of_children
from benchmarks.throughput import seed_items, take
from tests.platform import Platform

KEPT = Path(__file__).parent / "guard.json"

ITEMS = 100
CONCURRENCY = 10
_TIMES = 2


async def cpu_ratio(stack: Platform) -> float:
    """How many times the CPU of a bare aiohttp loop (and its provider) an item takes, all processes together."""
    collection_id = await seed_items(stack, ITEMS)
    await take(stack, collection_id, items=ITEMS, concurrency=CONCURRENCY, latency_ms=0)
    ours = [await take(stack, collection_id, items=ITEMS, concurrency=CONCURRENCY, latency_ms=0) for _ in range(_TIMES)]
    bare = [await _bare_cpu_ms_per_item(stack.provider_url) for _ in range(_TIMES)]
    return min(run.cpu_ms_per_item for run in ours) / min(bare)


async def _bare_cpu_ms_per_item(provider_url: str) -> float:
    items = 5 * ITEMS
    async with use_of_children() as use:
        began = time.process_time()
        await bare_loop("aiohttp", provider_url, items=items, concurrency=CONCURRENCY, model="mock-0ms")
        own_s = time.process_time() - began
    return 1000 * (own_s + use.cpu_s[PROVIDER]) / items


def kept() -> float:
    """The ratio that was kept last."""
    ratio: float = json.loads(KEPT.read_text())["cpu_ratio"]
    return ratio


def keep(ratio: float) -> None:
    KEPT.write_text(json.dumps({"cpu_ratio": round(ratio, 1)}) + "\n")
