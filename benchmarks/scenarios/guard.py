"""Compare the CPU time of a short run with that of a loop that only calls the provider (`benchmarks.guard`)."""

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
