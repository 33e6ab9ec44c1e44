"""Decide the verdicts of evaluators whose scores only inform (`ComparedEvaluator.gates` is false), by the procedure of
Benjamini and Hochberg (1995).

No decision depends on these verdicts, so a small share of the reported differences may be false. The procedure takes
the largest k for which at least k of m comparisons have an interval at level α·k/m that excludes 0. It reports the
differences of these comparisons. With p values instead of intervals, the procedure has the same result.
"""

from collections.abc import Sequence

from orchestrator.comparison.domain.coverage import GatePair
from orchestrator.comparison.domain.interval import MeanTest
from orchestrator.comparison.domain.verdicts import ALPHA, Decided, Judged, Verdict, decide_comparisons, separated


def informing_verdicts(compared: Sequence[GatePair], *, alpha: float = ALPHA) -> list[Judged]:
    """Return one verdict per comparison, in the same order as `compared`. `alpha` bounds the expected share of false
    differences among the reported ones."""
    return decide_comparisons(compared, _benjamini_hochberg, alpha)


def _benjamini_hochberg(tests: Sequence[MeanTest | None], alpha: float) -> Decided:
    known = [test for test in tests if test is not None]
    level = _level(known, alpha)
    sides = [separated(test, level) if test else None for test in tests]
    return [level] * len(tests), [verdict or Verdict.NOT_SEPARABLE for verdict in sides]


def _level(tests: Sequence[MeanTest], alpha: float) -> float:
    for count in range(len(tests), 0, -1):
        level = alpha * count / len(tests)
        if sum(separated(test, level) is not None for test in tests) >= count:
            return level
    return alpha / max(1, len(tests))
