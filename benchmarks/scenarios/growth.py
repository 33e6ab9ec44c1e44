"""Measure CPU time and memory in each tenth of a run of 10,000 items, which a judge scores.

The environment variable `ITEMS` sets another number of items.
"""

from benchmarks.growth import MODEL, growth
from benchmarks.scenario import Measure, Scenario


async def measure() -> list[Measure]:
    return await growth(judge=f"{MODEL}-judge")


SCENARIO = Scenario(name="growth", title="One long run in tenths, 50 in flight", measure=measure)
