"""A short run as a ratio to the bare loop, measured anew and kept."""

from benchmarks.guard import cpu_ratio, keep, kept
from benchmarks.scenario import Measure, Scenario
from tests.platform import platform


async def measure() -> list[Measure]:
    async with platform(tasks=1) as stack:
        ratio = await cpu_ratio(stack)
    before = kept()
    keep(ratio)
    return [
        Measure("CPU of an item, in times of a bare aiohttp loop", ratio, "x"),
        Measure("The same as it was kept before", before, "x"),
    ]


SCENARIO = Scenario(name="guard", title="A short run beside the bare loop", measure=measure)
