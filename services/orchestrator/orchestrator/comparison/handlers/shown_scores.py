"""Convert verdicts and their intervals to the schemas of the API."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from llmbench.thresholds import tidy
from orchestrator.comparison.domain.clusters import ClusterSums
from orchestrator.comparison.domain.interval import MeanInterval
from orchestrator.comparison.domain.verdicts import Judged
from orchestrator.comparison.ports.comparison import PassComparison, ScoreComparison
from orchestrator.comparison.ports.pairs import PairedColumn
from orchestrator.results.ports.figure_schemas import Interval


@dataclass(frozen=True)
class CaseCounts:
    """The number of compared cases, and in how many of them a column (a target of a run) is better or worse than the
    baseline.

    The two means are over all compared cases; they are `None` without a compared case.
    """

    cases: int
    better: int
    worse: int
    mean_here: float | None
    mean_baseline: float | None

    @classmethod
    def of(cls, pairs: Sequence[PairedColumn]) -> "CaseCounts":
        """Return counts and means over several pairs of columns (targets of runs); each case of each pair counts
        equally."""
        cases = sum(pair.compared for pair in pairs)

        def mean(values: Sequence[float | None]) -> float | None:
            total = math.fsum(
                value * pair.compared for pair, value in zip(pairs, values, strict=True) if value is not None
            )
            return tidy(total / cases) if cases else None

        return cls(
            cases=cases,
            better=sum(pair.better for pair in pairs),
            worse=sum(pair.worse for pair in pairs),
            mean_here=mean([pair.mean_here for pair in pairs]),
            mean_baseline=mean([pair.mean_baseline for pair in pairs]),
        )


def score(counts: CaseCounts, sums: ClusterSums, judged: Judged, *, withheld: str | None) -> ScoreComparison:
    """Return the comparison of scores for the API. `withheld` is the reason why there is no verdict yet, or `None`. The
    means are returned in both cases."""
    return ScoreComparison(
        cases=counts.cases,
        clusters=sums.clusters,
        better=counts.better,
        worse=counts.worse,
        equal=counts.cases - counts.better - counts.worse,
        mean=sums.mean,
        mean_here=counts.mean_here,
        mean_baseline=counts.mean_baseline,
        interval=shown(judged.interval),
        simultaneous=shown(judged.simultaneous),
        method=judged.interval.method if judged.interval else None,
        verdict=None if withheld else judged.verdict,
        clusters_needed=judged.clusters_needed,
    )


def passes(paired: PairedColumn, judged: Judged, *, withheld: str | None) -> PassComparison:
    passes = paired.passes
    return PassComparison(
        cases=passes.pair.sums.pairs,
        gained=passes.gained,
        lost=passes.lost,
        rate_difference=passes.pair.sums.mean,
        interval=shown(judged.interval),
        simultaneous=shown(judged.simultaneous),
        verdict=None if withheld or not passes.pair.sums.counted else judged.verdict,
    )


def shown(interval: MeanInterval | None) -> Interval | None:
    """Return the interval for the API; `None` if one of its ends is infinite."""
    if interval is None or not (math.isfinite(interval.low) and math.isfinite(interval.high)):
        return None
    return Interval(low=tidy(interval.low), high=tidy(interval.high))
