"""Measure CPU time and memory in each tenth of a run of 10,000 items (or `ITEMS`), which a program scores.

Without a judge, the run is fast enough for 300,000 items.
"""

from benchmarks.growth import growth
from benchmarks.scenario import Measure, Scenario


async def measure() -> list[Measure]:
    return await growth(judge=None, evaluators=[{"kind": "contains", "params": {"text": "a"}}])


SCENARIO = Scenario(
    name="growth_programs", title="One long run in tenths, 50 in flight, scored by a program", measure=measure
)
