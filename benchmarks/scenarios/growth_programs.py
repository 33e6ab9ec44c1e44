"""Measure CPU time and memory in each tenth of a run of 10,000 items, which an evaluator without a model scores.

The environment variable `ITEMS` sets another number of items. Without a judge, 300,000 items are feasible.
"""

from benchmarks.growth import growth
from benchmarks.scenario import Measure, Scenario


async def measure() -> list[Measure]:
    return await growth(judge=None, evaluators=[{"kind": "contains", "params": {"text": "a"}}])


SCENARIO = Scenario(
    name="growth_programs", title="One long run in tenths, 50 in flight, scored by a program", measure=measure
)
