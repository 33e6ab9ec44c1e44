"""Measure one run in tenths: the CPU time of an item and the memory of each process, in each tenth of the run."""

import asyncio
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from benchmarks.processes import BUFFERS, PROVIDER, Use, use_of_children
from benchmarks.run_events import run_events, until
from benchmarks.scenario import Measure
from benchmarks.throughput import PATIENCE_S, seed_collections
from llmbench.contracts.run_progressed import RunProgressed
from tests.platform import platform

CONCURRENCY = 50
MODEL = "mock-0ms"
_TENTHS = 10
_SHOWN = (1, 2, 5, 10)
_PHASES: dict[str, Callable[[RunProgressed], int]] = {
    "answers": lambda event: event.answered,
    "verdicts": lambda event: event.judged + event.failed,
}


@dataclass(frozen=True)
class Tenth:
    """The measurements of a tenth of one phase of a run. `number` counts from 1, and `wall_s` is the duration."""

    phase: str
    number: int
    items: int
    wall_s: float
    use: Use


def items_wanted(default: int = 10_000) -> int:
    """Return the number of items: the environment variable `ITEMS` (`make bench ONLY=growth ITEMS=100000`), else the
    default. Raises ValueError if it is no positive multiple of 10.
    """
    text = os.environ.get("ITEMS") or str(default)
    items = int(text) if text.isdecimal() else 0
    if items < _TENTHS or items % _TENTHS:
        raise ValueError(f"ITEMS={text} is no number of items that can be cut in tenths")
    return items


async def growth(**more: Any) -> list[Measure]:
    """Measure one run of `items_wanted` items on a new platform. `more` are fields of the request that creates the run,
    such as its evaluators."""
    items = items_wanted()
    async with platform(tasks=1, database_settings={}) as stack:
        # Wait longer for responses: a single request creates all items of the run.
        stack.http.timeout = PATIENCE_S
        collection_ids = await seed_collections(stack, items)
        body = stack.run_body(MODEL, collection_ids=collection_ids, concurrency=CONCURRENCY, **more)
        async with run_events(stack, RunProgressed) as progress:
            began = time.perf_counter()
            await stack.post("/api/runs", body)
            created_s = time.perf_counter() - began
            found = await _in_tenths(progress, items)
    return [Measure("items", items, "items"), Measure("creation of the run", created_s, "s"), *_measures(found)]


async def _in_tenths(progress: asyncio.Queue[RunProgressed], items: int) -> list[Tenth]:
    """Measure each tenth of both phases of the run (answers, verdicts). The first tenth of the verdicts includes the
    time between the phases."""
    found = []
    for phase, done in _PHASES.items():
        for number in range(1, _TENTHS + 1):
            began = time.perf_counter()
            async with use_of_children() as use:
                await _until_done(progress, done, items * number // _TENTHS)
            found.append(Tenth(phase, number, items // _TENTHS, time.perf_counter() - began, use))
            _print_progress(found[-1])
    return found


def _print_progress(tenth: Tenth) -> None:
    """Print the speed and the memory of a finished tenth of the benchmark, to show the progress of a long run."""
    together = tenth.use.together_bytes / 1e6
    sys.stderr.write(
        f"   {tenth.phase}, tenth {tenth.number}: {tenth.items / tenth.wall_s:.0f} items/s, {together:.0f} MB\n"
    )


async def _until_done(progress: asyncio.Queue[RunProgressed], done: Callable[[RunProgressed], int], items: int) -> None:
    await until(progress, lambda event: done(event) >= items, timeout_s=PATIENCE_S)


def _measures(tenths: list[Tenth]) -> list[Measure]:
    measures = []
    for tenth in tenths:
        measures += _of_tenth(tenth)
    for phase in _PHASES:
        first, *_, last = (tenth.use for tenth in tenths if tenth.phase == phase)
        for name in sorted(last.usual_bytes.keys() - {PROVIDER}):
            measures += _grown(f"{phase}: {name}", first.usual_bytes.get(name, 0), last.usual_bytes[name])
        measures += _grown(f"{phase}: all", first.usual_together_bytes, last.usual_together_bytes)
    together = max(tenth.use.together_bytes for tenth in tenths) / 1e6
    return [*measures, Measure("memory of all, at most", together, "MB", "700 or less")]


def _of_tenth(tenth: Tenth) -> list[Measure]:
    case = f"{tenth.phase}, tenth {tenth.number}: "
    by_program = [
        *(
            Measure(f"{case}CPU of {name}", 1000 * seconds / tenth.items, "ms/item", detail=True)
            for name, seconds in sorted(tenth.use.cpu_s.items())
        ),
        *(
            Measure(f"{case}memory of {name}", size / 1e6, "MB", detail=True)
            for name, size in sorted(tenth.use.memory_bytes.items())
        ),
    ]
    cpu_s = sum(seconds for name, seconds in tenth.use.cpu_s.items() if name != PROVIDER)
    detail = tenth.number not in _SHOWN
    return [
        Measure(f"{case}items", tenth.items / tenth.wall_s, "per s", detail=detail),
        Measure(f"{case}CPU of an item", 1000 * cpu_s / tenth.items, "ms", detail=detail),
        Measure(f"{case}memory of all", tenth.use.together_bytes / 1e6, "MB", detail=detail),
        *by_program,
    ]


def _grown(what: str, first_bytes: int, last_bytes: int) -> list[Measure]:
    """Return a program's memory in the first tenth of a phase, in MB, and its growth until the last tenth, in percent.

    If the first size is 0, return only the memory in the last tenth. The measurements' names begin with `what`. The
    sizes are medians, so that a short-lived process does not count as growth.
    """
    if not first_bytes:
        return [Measure(f"{what}, memory in the last tenth", last_bytes / 1e6, "MB")]
    return [
        Measure(f"{what}, memory in the first tenth", first_bytes / 1e6, "MB"),
        Measure(
            f"{what}, more in the last tenth",
            100 * (last_bytes / first_bytes - 1),
            "%",
            # PostgreSQL's buffers have no aim: they fill up to a configured size and then stay.
            None if what.endswith(BUFFERS) else "under 10",
        ),
    ]
