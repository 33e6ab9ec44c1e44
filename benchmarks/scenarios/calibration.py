"""Measure how often the interval of a judge's corrected mean score includes the true mean. Measure also the share of
right labels in a consensus of annotators.
"""

import asyncio
import os

from benchmarks.calibration_coverage import consensus, coverages
from benchmarks.experiment_rows import Count
from benchmarks.scenario import Measure, Scenario

_REPLICATIONS = 20_000
_CONSENSUS_REPLICATIONS = 2_000


async def measure() -> list[Measure]:
    return await asyncio.to_thread(_measure)


def _measure() -> list[Measure]:
    # Let each process compute in one thread, because the pool has as many processes as cores.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    workers = os.cpu_count() or 1
    held = coverages(_REPLICATIONS, workers=workers)
    agreed = consensus(_CONSENSUS_REPLICATIONS, workers=workers)
    failed = [count.name for count in (*held, agreed.better) if count.refuted]
    return [
        *map(_of_count, held),
        _of_count(agreed.better),
        Measure("right labels by Dawid and Skene", 100 * agreed.dawid_skene, "%", "more than a majority's"),
        Measure("right labels by majority", 100 * agreed.majority, "%"),
        Measure("claims that a 99 % binomial bound excludes", len(failed), "", "0"),
        *(Measure(f"excluded: {name}", 1, "", "0") for name in failed),
    ]


def _of_count(count: Count) -> Measure:
    return Measure(count.name, 100 * count.share, "%", f"{100 * count.least:g} or more" if count.least else None)


SCENARIO = Scenario(name="calibration", title="Coverage of corrected figures, and consensus", measure=measure)
