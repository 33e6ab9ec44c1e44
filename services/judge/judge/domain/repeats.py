"""Several verdicts on one answer: their mean, how far they lie apart, and how often they agree."""

from collections.abc import Sequence
from itertools import combinations
from statistics import mean, stdev
from typing import Any

_ROUNDING = 1e-9
"""What floating point may add to a mean."""


def summary(scores: Sequence[float], *, asked: int) -> dict[str, Any]:
    """For a score's details; of one verdict nothing is to be said. `self_agreement` is the share of pairs of
    repeats on the same level, `spread` their sample standard deviation. Repeats without a verdict are left out of
    all of it, and counted."""
    if asked == 1:
        return {}
    pairs = list(combinations([round(score) for score in scores], 2))
    return {
        "repeats": asked,
        "repeats_scored": len(scores),
        "scores": list(scores),
        "spread": stdev(scores) if len(scores) > 1 else None,
        "self_agreement": sum(one == other for one, other in pairs) / len(pairs) if pairs else None,
    }


def nearest_to_mean(scores: Sequence[float]) -> int:
    """Which of them: its reason speaks for all. The first of several."""
    middle = mean(scores)
    return min(range(len(scores)), key=lambda index: abs(scores[index] - middle))


def near(scores: Sequence[float], *, mark: float, margin: float) -> bool:
    """Whether their mean is within the margin of the mark, the margin itself included; not where there are none."""
    return bool(scores) and abs(mean(scores) - mark) <= margin + _ROUNDING
