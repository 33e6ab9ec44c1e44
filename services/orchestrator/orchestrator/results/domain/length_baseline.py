"""Measure how much of a score the answer's length alone explains: Spearman's rank correlation.

Judges mistake length for quality: on dialogue data length alone correlates .36 with people's scores, more than BLEU
does. A score that follows the length may measure nothing else.
"""

import math
from dataclasses import dataclass

LEAST_ANSWERS = 3


@dataclass(frozen=True)
class RankSums:
    """Sums over the answers of the products of their ranks by length (x) and by score (y)."""

    answers: int
    xy: float
    xx: float
    yy: float


@dataclass(frozen=True)
class Baseline:
    """The correlation of a score with the length. `spearman` is null, with the reason, where it is undefined."""

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
    # Ranks are multiples of a half, so any real difference exceeds rounding.
    if of_length < 0.25:
        return Baseline(None, n, "all answers are of the same length")
    if of_score < 0.25:
        return Baseline(None, n, "all scores are equal")
    return Baseline(max(-1.0, min(1.0, (sums.xy - shift) / math.sqrt(of_length * of_score))), n)
