"""Summarise several verdicts on one answer: their mean, spread and agreement."""

from collections.abc import Sequence
from itertools import combinations
from statistics import mean, stdev
from typing import Any

_ROUNDING = 1e-9
"""The tolerance for the rounding error of a mean."""


def summary(scores: Sequence[float], *, requested: int) -> dict[str, Any]:
    """Return the statistics of repeated verdicts for a score's details; empty if only one verdict was requested.

    `scores` has the scores of the repeats that gave a verdict; `requested` is the number of all repeats.
    `self_agreement` is the share of pairs of scores that round to the same whole number, `spread` the sample standard
    deviation. Both are `None` for fewer than two scores.
    """
    if requested == 1:
        return {}
    pairs = list(combinations([round(score) for score in scores], 2))
    return {
        "repeats": requested,
        "repeats_scored": len(scores),
        "scores": list(scores),
        "spread": stdev(scores) if len(scores) > 1 else None,
        "self_agreement": sum(first == other for first, other in pairs) / len(pairs) if pairs else None,
    }


def nearest_to_mean(scores: Sequence[float]) -> int:
    """Return the index of the score nearest to the mean, the first if several are equally near.

    The reason of that verdict is shown. `scores` must not be empty.
    """
    middle = mean(scores)
    return min(range(len(scores)), key=lambda index: abs(scores[index] - middle))


def near(scores: Sequence[float], *, mark: float, margin: float) -> bool:
    """Return whether the mean of the scores differs from `mark` by at most `margin`; `False` without scores."""
    return bool(scores) and abs(mean(scores) - mark) <= margin + _ROUNDING
