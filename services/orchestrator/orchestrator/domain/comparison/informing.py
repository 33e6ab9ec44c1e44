"""Verdicts of what only informs: of those that are called differences few are none, but some may be.

Benjamini and Hochberg (1995) by intervals: the largest number k is taken for which at least k of m comparisons have an
interval at level α·k/m that leaves out 0. That is their procedure on the p values of the same intervals.
"""

from collections.abc import Sequence

from orchestrator.domain.comparison.coverage import GatePair
from orchestrator.domain.comparison.interval import MeanTest
from orchestrator.domain.comparison.verdicts import ALPHA, Judged, Verdict, clusters_needed


def informing_verdicts(compared: Sequence[GatePair], *, alpha: float = ALPHA) -> list[Judged]:
    """One verdict for each comparison, in their order. `alpha` is the share of false ones among those called
    differences, on the average at most."""
    tests = [MeanTest(pair.sums) if pair.sums.counted else None for pair in compared]
    covered = [test for test, pair in zip(tests, compared, strict=True) if test is not None and pair.covered]
    level = _level(covered, alpha)
    judged = []
    for pair, test in zip(compared, tests, strict=True):
        verdict = Verdict.LOW_COVERAGE
        if test is not None and pair.covered:
            verdict = _separated(test, level) or Verdict.NOT_SEPARABLE
        judged.append(
            Judged(
                pair=pair,
                mean=pair.sums.mean,
                interval=test.interval(alpha_low=alpha / 2, alpha_high=alpha / 2) if test else None,
                simultaneous=test.interval(alpha_low=level / 2, alpha_high=level / 2) if test else None,
                verdict=verdict,
                clusters_needed=clusters_needed(pair.sums) if verdict is Verdict.NOT_SEPARABLE else None,
            )
        )
    return judged


def _level(tests: Sequence[MeanTest], alpha: float) -> float:
    for count in range(len(tests), 0, -1):
        level = alpha * count / len(tests)
        if sum(_separated(test, level) is not None for test in tests) >= count:
            return level
    return alpha / max(1, len(tests))


def _separated(test: MeanTest, level: float) -> Verdict | None:
    if test.low(level / 2)[0] > 0:
        return Verdict.BETTER
    return Verdict.WORSE if test.high(level / 2)[0] < 0 else None
