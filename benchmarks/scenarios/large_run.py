"""Measure how fast a browser opens and scrolls the page of a finished run of 50,000 items."""

from benchmarks.browser import measured_by
from benchmarks.large_runs import SEED_TASKS, finished_run
from benchmarks.scenario import Measure, Scenario
from tests.platform import platform

ITEMS = 50_000


async def measure() -> list[Measure]:
    async with platform(tasks=SEED_TASKS) as stack:
        run_id = await finished_run(stack, ITEMS)
        return await measured_by("large-run", url=stack.url, LLMBENCH_BENCH_RUN=run_id, LLMBENCH_BENCH_ITEMS=str(ITEMS))


SCENARIO = Scenario(name="large_run", title="A run of 50,000 items is opened and scrolled", measure=measure)
