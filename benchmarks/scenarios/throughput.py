"""Compare runs of 200 and 1,000 items with loops that only make the same calls: an answer and a verdict per item."""

from statistics import median

from benchmarks.bare_loop import Library, bare_loop
from benchmarks.processes import PROVIDER
from benchmarks.scenario import Measure, Scenario
from benchmarks.throughput import Took, seed_items, take
from tests.platform import platform

ITEMS = 1000
SLOW_ITEMS = 200
"""The number of items if only one is in flight and each needs two calls of 50 ms."""
_TIMES = 3
_AIMS = {(0, 50): "300 or more", (0, 1): "120 or more", (50, 50): "250 or more"}


async def measure() -> list[Measure]:
    measures: list[Measure] = []
    async with platform(tasks=1, database_settings={}) as stack:
        collections = {items: await seed_items(stack, items) for items in (SLOW_ITEMS, ITEMS)}
        # The first run is not measured, because it includes work that every process does only once.
        await take(stack, collections[SLOW_ITEMS], items=SLOW_ITEMS, concurrency=10, latency_ms=0)
        for latency_ms in (0, 50):
            for concurrency in (50, 10, 1):
                items = SLOW_ITEMS if (latency_ms, concurrency) == (50, 1) else ITEMS
                runs: list[Took] = []
                loops: dict[Library, list[float]] = {"aiohttp": [], "httpx": []}
                for _ in range(_TIMES):
                    runs.append(
                        await take(
                            stack, collections[items], items=items, concurrency=concurrency, latency_ms=latency_ms
                        )
                    )
                    for library in loops:
                        loops[library].append(
                            await bare_loop(
                                library,
                                stack.provider_url,
                                items=items,
                                concurrency=concurrency,
                                model=f"mock-{latency_ms}ms",
                            )
                        )
                measures += _of(latency_ms, concurrency, items, runs, loops)
    return measures


def _of(
    latency_ms: int, concurrency: int, items: int, runs: list[Took], loops: dict[Library, list[float]]
) -> list[Measure]:
    case = f"{latency_ms} ms, {concurrency} in flight: "
    wall_s = median(run.wall_s for run in runs)
    ideal_s = items * 2 * latency_ms / 1000 / concurrency
    found = [
        Measure(f"{case}items", items / wall_s, "per s", _AIMS.get((latency_ms, concurrency))),
        Measure(f"{case}overhead of an item", 1000 * (wall_s - ideal_s) / items, "ms"),
        Measure(f"{case}CPU of an item", median(run.cpu_ms_per_item for run in runs), "ms", "4 or less"),
    ]
    for library, seconds in loops.items():
        found.append(Measure(f"{case}items of a bare {library} loop", items / median(seconds), "per s"))
        found.append(Measure(f"{case}times of a bare {library} loop", wall_s / median(seconds), "x"))
    for name in sorted({name for run in runs for name in run.use.cpu_s}):
        found.append(
            Measure(
                f"{case}CPU of {name}", median(1000 * run.use.cpu_s.get(name, 0) / items for run in runs), "ms/item"
            )
        )
    for name in sorted({name for run in runs for name in run.use.memory_bytes} - {PROVIDER}):
        peak = max(run.use.memory_bytes.get(name, 0) for run in runs)
        found.append(Measure(f"{case}memory of {name}", peak / 1e6, "MB"))
    together = max(run.use.together_bytes for run in runs) / 1e6
    return [*found, Measure(f"{case}memory of all", together, "MB", "700 or less")]


SCENARIO = Scenario(name="throughput", title="1,000 items, an answer and a verdict each", measure=measure)
