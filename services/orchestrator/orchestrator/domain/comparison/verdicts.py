"""Which columns are better or worse than others: every verdict that is shown, and the winner, come from one call.

Holm (1979) by intervals: of m comparisons those whose interval at α/m leaves out 0 are decided, then the rest at
α / (number left), until none is. That is Holm's procedure on the p values of the same intervals.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from orchestrator.domain.comparison.clusters import ClusterSums
from orchestrator.domain.comparison.coverage import GatePair
from orchestrator.domain.comparison.interval import MeanInterval, MeanTest
from orchestrator.domain.comparison.power import fewest, probability_above

ALPHA = 0.05
_FOUR_OF_FIVE = 0.8


class Verdict(StrEnum):
    BETTER = "better"
    WORSE = "worse"
    NOT_SEPARABLE = "not separable"
    LOW_COVERAGE = "low coverage"


@dataclass(frozen=True)
class Judged:
    """One comparison. `interval` is the two-sided one of 95 %, by itself; `simultaneous` the one that the verdict was
    read from, wider where more is compared. Both are `None` without a scored case. `clusters_needed` would separate a
    difference of this size four times in five; `None` where there is nothing to separate."""

    pair: GatePair
    mean: float | None
    interval: MeanInterval | None
    simultaneous: MeanInterval | None
    verdict: Verdict
    clusters_needed: int | None


def verdicts(compared: Sequence[GatePair], *, alpha: float = ALPHA) -> list[Judged]:
    """One verdict for each comparison, candidate against baseline, in their order. `alpha` is the probability that any
    of them is a false alarm."""
    tests = [MeanTest(pair.sums) if pair.sums.counted else None for pair in compared]
    levels, decided = _holm([test if pair.covered else None for pair, test in zip(compared, tests, strict=True)], alpha)
    judged = []
    for pair, test, level, verdict in zip(compared, tests, levels, decided, strict=True):
        found = verdict if pair.covered else Verdict.LOW_COVERAGE
        judged.append(
            Judged(
                pair=pair,
                mean=pair.sums.mean,
                interval=test.interval(alpha_low=alpha / 2, alpha_high=alpha / 2) if test else None,
                simultaneous=test.interval(alpha_low=level / 2, alpha_high=level / 2) if test else None,
                verdict=found,
                clusters_needed=clusters_needed(pair.sums) if found is Verdict.NOT_SEPARABLE else None,
            )
        )
    return judged


def clusters_needed(sums: ClusterSums) -> int | None:
    """How many clusters would separate a difference of this size from none, four times in five."""
    mean, variance = sums.mean, sums.variance
    if not mean or variance is None:
        return None
    distance = min(abs(mean), 1.0)

    def enough(clusters: int) -> bool:
        found = probability_above(
            variance=variance, clusters=clusters, mean=distance, distance=distance, alpha=ALPHA / 2
        )
        return found >= _FOUR_OF_FIVE

    needed = fewest(enough)
    return None if needed is None else max(needed, sums.clusters + 1)


def _holm(tests: Sequence[MeanTest | None], alpha: float) -> tuple[list[float], list[Verdict]]:
    """The level that each was tested at last, and what came of it."""
    verdict = [Verdict.NOT_SEPARABLE] * len(tests)
    open_ = {at: test for at, test in enumerate(tests) if test is not None}
    levels = [alpha / max(1, len(open_))] * len(tests)
    while open_:
        level = alpha / len(open_)
        for at in open_:
            levels[at] = level
        separated = {at: found for at, test in open_.items() if (found := _separated(test, level))}
        for at, found in separated.items():
            verdict[at] = found
            del open_[at]
        if not separated:
            break
    return levels, verdict


def _separated(test: MeanTest, level: float) -> Verdict | None:
    if test.low(level / 2)[0] > 0:
        return Verdict.BETTER
    return Verdict.WORSE if test.high(level / 2)[0] < 0 else None
