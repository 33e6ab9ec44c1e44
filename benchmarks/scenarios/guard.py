"""The short run that `make test` compares with: measured anew, it is what is compared with from then on."""

from benchmarks.guard import cpu_ratio, keep
from benchmarks.scenario import Measure, Scenario
from tests.platform import platform


async def measure() -> list[Measure]:
    async with platform(tasks=1) as stack:
        ratio = await cpu_ratio(stack)
    keep(ratio)
    return [Measure("CPU of an item, in times of a bare aiohttp loop", ratio, "x")]


SCENARIO = Scenario(name="guard", title="What make test compares with", measure=measure)
