"""Compare a short run's CPU time with the bare loop's, and their ratio with the one that `make guard KEEP=1` stored."""

from benchmarks.guard import FAILURE, WARNING, last_kept, measured
from benchmarks.scenario import Measure, Scenario
from tests.platform import platform


async def measure() -> list[Measure]:
    kept = last_kept()
    async with platform(tasks=1) as stack:
        ratio = await measured(stack, kept)
    return [
        Measure("CPU of an item, in times of a bare aiohttp loop", ratio, "x"),
        Measure("the same as it was kept", kept, "x"),
        Measure("now, in times of what was kept", ratio / kept, "x", f"under {WARNING}; {FAILURE:.0f} fails"),
    ]


SCENARIO = Scenario(name="guard", title="A short run beside the bare loop", measure=measure)
