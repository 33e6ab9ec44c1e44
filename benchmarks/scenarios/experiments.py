"""Measure the statistics of experiments: false positives over many looks, savings, coverage and a bandit's regret."""

import asyncio
import os

from benchmarks.experiment_coverage import bandit, coverages
from benchmarks.experiment_rows import KINDS, NULLS, Count, Saving, false_positives, peeking, savings
from benchmarks.scenario import Measure, Scenario

_REPLICATIONS = 20_000
_PEEKING_REPLICATIONS = 500
_BANDIT_REPLICATIONS = 300


async def measure() -> list[Measure]:
    return await asyncio.to_thread(_measure)


def _measure() -> list[Measure]:
    # Let each process compute in one thread, because the pool has as many processes as cores.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    workers = os.cpu_count() or 1
    counts = [count for null in NULLS for count in false_positives(null, _REPLICATIONS, workers=workers)]
    warnings = peeking(_PEEKING_REPLICATIONS)
    saved = [savings(kind, times, _REPLICATIONS, workers=workers) for kind in KINDS for times in (0, 1, 2)]
    held = coverages(_REPLICATIONS, workers=workers)
    claims = [*counts, *held, *(each.shipped for each in saved)]
    failed = [claim.name for claim in claims if claim.refuted]
    return [
        *map(_of_count, [*counts, *warnings, *held]),
        *(found for each in saved for found in _of_saving(each)),
        *_of_bandit(),
        Measure("claims that a 99 % binomial bound excludes", len(failed), "", "0"),
        *(Measure(f"excluded: {name}", 1, "", "0") for name in failed),
    ]


def _of_count(count: Count) -> Measure:
    aim = None
    if count.most is not None:
        aim = f"at most {100 * count.most:g}"
    elif count.least is not None:
        aim = f"{100 * count.least:g} or more"
    return Measure(count.name, 100 * count.share, "%", aim)


def _of_saving(saving: Saving) -> list[Measure]:
    return [
        _of_count(saving.shipped),
        _of_count(saving.decided),
        Measure(f"{saving.name}: median clusters of {saving.planned:,}", saving.median_clusters, ""),
        Measure(f"{saving.name}: median of the planned calls saved", 100 * saving.saved, "%"),
        Measure(f"{saving.name}: fewer clusters than a t test needs", 100 * saving.against_fixed, "%"),
    ]


def _of_bandit() -> list[Measure]:
    found = bandit(_BANDIT_REPLICATIONS)
    name = "bandit, pass rates .7, .6, .55, 20 rounds of 30"
    return [
        Measure(f"{name}: regret per 100 units", 100 * found.regret, "passes", "less than equal allocation"),
        Measure(f"{name}: regret of equal allocation", 100 * found.uniform_regret, "passes"),
        Measure(f"{name}: share of the best variant", 100 * found.best_share, "%"),
        Measure(f"{name}: bias of the worst variant's mean", 100 * found.bias_of_mean, "points"),
        Measure(f"{name}: bias of its inverse-propensity mean", 100 * found.bias_of_inverse_propensity_mean, "points"),
    ]


SCENARIO = Scenario(name="experiments", title="Errors, power, savings and coverage of experiments", measure=measure)
