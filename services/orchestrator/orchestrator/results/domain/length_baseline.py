"""Measure how closely scores follow the length of answers: Spearman's rank correlation.

Judges can mistake length for quality. On dialogue data, length alone has a correlation of .36 with people's scores,
more than BLEU has. A score that follows the length closely may measure nothing else.
"""

import math
from dataclasses import dataclass

LEAST_ANSWERS = 3


@dataclass(frozen=True)
class RankSums:
    """Sums over answers, where x is an answer's rank by length and y its rank by score: `xy` sums x·y, `xx` x², `yy`
    y²."""

    answers: int
    xy: float
    xx: float
    yy: float


@dataclass(frozen=True)
class Baseline:
    """Spearman's correlation of a score with the answer's length. If it is undefined, it is null, and
    `undefined_because` gives the reason."""

    spearman: float | None
    answers: int
    undefined_because: str | None = None


def length_baseline(sums: RankSums) -> Baseline:
    n = sums.answers
    if n < LEAST_ANSWERS:
        return Baseline(None, n, f"fewer than {LEAST_ANSWERS} answers are scored")
    # The mean rank of n values is (n + 1) / 2, with or without ties.
    shift = n * ((n + 1) / 2) ** 2
    of_length, of_score = sums.xx - shift, sums.yy - shift
    # Ranks are multiples of 0.5, so unless all are equal, the sum of squared differences exceeds any rounding error.
    if of_length < 0.25:
        return Baseline(None, n, "all answers are of the same length")
    if of_score < 0.25:
        return Baseline(None, n, "all scores are equal")
    return Baseline(max(-1.0, min(1.0, (sums.xy - shift) / math.sqrt(of_length * of_score))), n)
