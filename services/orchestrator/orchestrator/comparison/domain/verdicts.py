"""Decide which columns (targets of runs) are better or worse than others.

The method is Holm's (1979), applied to intervals. With m comparisons, those whose interval at level α/m excludes 0 are
decided. The remaining comparisons are tested again at level α / (their number), until no more can be decided. This
equals Holm's procedure on the p values of the same intervals. All comparisons that are shown together, and those that
decide the winner, have to be in one call of `verdicts`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from orchestrator.comparison.domain.clusters import ClusterSums
from orchestrator.comparison.domain.coverage import GatePair
from orchestrator.comparison.domain.interval import MeanInterval, MeanTest
from orchestrator.comparison.domain.power import fewest, probability_above

ALPHA = 0.05
_FOUR_OF_FIVE = 0.8


class Verdict(StrEnum):
    BETTER = "better"
    WORSE = "worse"
    NOT_SEPARABLE = "not separable"
    LOW_COVERAGE = "low coverage"


@dataclass(frozen=True)
class Judged:
    """The verdict of one comparison.

    `interval` is the two-sided 95 % interval of this comparison alone. `simultaneous` is the wider interval that
    decided the verdict; it takes the number of comparisons into account. Both are `None` without a scored case.

    With `clusters_needed` clusters, `simultaneous` would exclude 0 with probability 0.8 for a difference of this size.
    It is `None` for every verdict other than NOT_SEPARABLE. It is also `None` if the difference is 0, if its variance
    is unknown, or if no number suffices.
    """

    pair: GatePair
    mean: float | None
    interval: MeanInterval | None
    simultaneous: MeanInterval | None
    verdict: Verdict
    clusters_needed: int | None


Decided = tuple[list[float], list[Verdict]]
"""The last level at which each comparison was tested, and the verdict of each comparison."""
Procedure = Callable[[Sequence[MeanTest | None], float], Decided]
"""A procedure that decides many tests at once, at the level `alpha`. A test that is `None` is not decided, and not
counted."""


def verdicts(compared: Sequence[GatePair], *, alpha: float = ALPHA) -> list[Judged]:
    """Return one verdict per comparison of a candidate with its baseline, in the same order as `compared`.

    `alpha` limits the probability that any of the verdicts is a false alarm.
    """
    return decide_comparisons(compared, _holm, alpha)


def decide_comparisons(compared: Sequence[GatePair], procedure: Procedure, alpha: float) -> list[Judged]:
    """Return one verdict per comparison, with its intervals, in the same order as `compared`.

    `procedure` decides the comparisons with enough coverage, at the level `alpha`; the others have the verdict
    LOW_COVERAGE.
    """
    tests = [MeanTest(pair.sums) if pair.sums.counted else None for pair in compared]
    covered = [test if pair.covered else None for pair, test in zip(compared, tests, strict=True)]
    judged = []
    for pair, test, level, decided in zip(compared, tests, *procedure(covered, alpha), strict=True):
        verdict = decided if pair.covered else Verdict.LOW_COVERAGE
        judged.append(
            Judged(
                pair=pair,
                mean=pair.sums.mean,
                interval=test.interval(alpha_low=alpha / 2, alpha_high=alpha / 2) if test else None,
                simultaneous=test.interval(alpha_low=level / 2, alpha_high=level / 2) if test else None,
                verdict=verdict,
                clusters_needed=clusters_needed(pair.sums, level) if verdict is Verdict.NOT_SEPARABLE else None,
            )
        )
    return judged


def separated(test: MeanTest, level: float) -> Verdict | None:
    """Return BETTER or WORSE if the interval at this level excludes 0; `None` if it contains 0."""
    if test.low(level / 2)[0] > 0:
        return Verdict.BETTER
    return Verdict.WORSE if test.high(level / 2)[0] < 0 else None


def clusters_needed(sums: ClusterSums, level: float = ALPHA) -> int | None:
    """Return the number of clusters with which the interval of a difference of this size would exclude 0 with
    probability 0.8. It is greater than the present number. Return `None` if the difference is 0, if its variance is
    unknown, or if no number suffices.

    `level` is the level of the interval that decides; with several comparisons it is below `ALPHA`."""
    mean, variance = sums.mean, sums.variance
    if not mean or variance is None:
        return None
    distance = min(abs(mean), 1.0)

    def enough(clusters: int) -> bool:
        probability = probability_above(
            variance=variance, clusters=clusters, mean=distance, distance=distance, alpha=level / 2
        )
        return probability >= _FOUR_OF_FIVE

    needed = fewest(enough)
    return None if needed is None else max(needed, sums.clusters + 1)


def _holm(tests: Sequence[MeanTest | None], alpha: float) -> Decided:
    verdict = [Verdict.NOT_SEPARABLE] * len(tests)
    open_ = {at: test for at, test in enumerate(tests) if test is not None}
    levels = [alpha / max(1, len(open_))] * len(tests)
    while open_:
        level = alpha / len(open_)
        for at in open_:
            levels[at] = level
        rejected = {at: side for at, test in open_.items() if (side := separated(test, level))}
        for at, side in rejected.items():
            verdict[at] = side
            del open_[at]
        if not rejected:
            break
    return levels, verdict
