"""Check that the CPU time of an item has not grown: compare a short run with a loop that only calls the provider.

    python -m benchmarks.guard [--keep]

A ratio is the CPU time per item of the run, divided by that of the loop. Run and loop alternate, because other load on
the machine slows down both. The median ratio is compared with the one stored in `guard.json`; `--keep` stores it there
instead. If the check would fail, both are measured again, and the smallest ratio counts. So a noisy measurement
passes, but higher costs of the code fail.
"""

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable
from enum import Enum
from pathlib import Path
from statistics import median

from benchmarks.bare_loop import bare_loop
from benchmarks.processes import PROVIDER, use_of_children
from benchmarks.throughput import seed_items, take
from tests.platform import Platform, platform

KEPT = Path(__file__).parent / "guard.json"

ITEMS = 100
CONCURRENCY = 10
WARNING = 1.3
FAILURE = 2.0
"""The check fails if the measured ratio is at least this multiple of the stored ratio."""
_TIMES = 3
_BARE_ITEMS = 10 * ITEMS


class Verdict(Enum):
    FINE = "fine"
    WARNING = "warning"
    FAILURE = "failure"


def verdict(ratio: float, kept: float) -> Verdict:
    if ratio >= FAILURE * kept:
        return Verdict.FAILURE
    return Verdict.WARNING if ratio >= WARNING * kept else Verdict.FINE


async def confirmed(measure: Callable[[], Awaitable[list[float]]], kept: float) -> float:
    """Return the median of the ratios that `measure` returns. A ratio is the platform's CPU time per item, divided by
    that of a bare loop that only calls the provider.

    If the median would fail the check against the stored ratio `kept`, call `measure` again, and return the smallest
    ratio of both measurements.
    """
    first = await measure()
    if verdict(median(first), kept) is not Verdict.FAILURE:
        return median(first)
    return min(first + await measure())


async def measured(stack: Platform, kept: float) -> float:
    """Return the CPU time per item of the platform's processes, divided by that of a bare aiohttp loop.

    The loop's CPU time includes the mock provider's; the platform's does not. `kept` is the ratio of an earlier
    version, from `guard.json`. If the check would fail against it, the measurement is repeated (`confirmed`).
    """
    collection_id = await seed_items(stack, ITEMS)

    async def ratios() -> list[float]:
        return [await _ratio(stack, collection_id) for _ in range(_TIMES)]

    # The first run is not measured, because it includes work that every process does only once.
    await _ratio(stack, collection_id)
    return await confirmed(ratios, kept)


async def _ratio(stack: Platform, collection_id: str) -> float:
    ours = await take(stack, collection_id, items=ITEMS, concurrency=CONCURRENCY, latency_ms=0)
    return ours.cpu_ms_per_item / await _bare_cpu_ms_per_item(stack.provider_url)


async def _bare_cpu_ms_per_item(provider_url: str) -> float:
    async with use_of_children() as use:
        began = time.process_time()
        await bare_loop("aiohttp", provider_url, items=_BARE_ITEMS, concurrency=CONCURRENCY, model="mock-0ms")
        own_s = time.process_time() - began
    return 1000 * (own_s + use.cpu_s[PROVIDER]) / _BARE_ITEMS


def last_kept() -> float:
    """Return the ratio stored in `guard.json`: the platform's CPU time per item, divided by that of a bare aiohttp
    loop."""
    ratio: float = json.loads(KEPT.read_text())["cpu_ratio"]
    return ratio


def keep(ratio: float) -> None:
    KEPT.write_text(json.dumps({"cpu_ratio": round(ratio, 1)}) + "\n")


async def main(*, keeps: bool) -> int:
    kept = last_kept()
    async with platform(tasks=1) as stack:
        ratio = await measured(stack, kept)
    summary = f"an item takes {ratio:.1f} times the CPU of a bare loop; {kept:.1f} were kept"
    if keeps:
        keep(ratio)
        print(f"{summary}, now {last_kept():.1f}")
        return 0
    match verdict(ratio, kept):
        case Verdict.FINE:
            print(summary)
            return 0
        case Verdict.WARNING:
            print(f"warning: {summary} ({ratio / kept:.2f} times as much)")
            return 0
        case Verdict.FAILURE:
            advice = "Find what became slow; if it is worth it, keep the new figure: make guard KEEP=1"
            print(f"error: {summary} ({ratio / kept:.2f} times as much, {FAILURE:.0f} is too much). {advice}")
            return 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Whether an item costs more than it did.")
    parser.add_argument("--keep", action="store_true", help="keep what is measured as the figure to compare with")
    sys.exit(asyncio.run(main(keeps=parser.parse_args().keep)))
