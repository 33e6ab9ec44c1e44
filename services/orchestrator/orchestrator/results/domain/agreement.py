"""Measure how much the judges of a panel agree: Krippendorff's alpha for interval data.

Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011): α = 1 - D_o / D_e. A rating is one judge's score of
one answer. D_o is the variance of the ratings of one answer, averaged over all ratings. D_e is the variance of all
ratings. Both are sample variances (n - 1), so sums suffice, and the single scores are not needed. Answers that only one
judge scored cannot be paired and are left out.
"""

from dataclasses import dataclass

_EQUAL = 1e-9
"""Scores that differ by less count as equal: floating point alone can cause such a difference."""


@dataclass(frozen=True)
class Ratings:
    """Statistics of the scores, from 0 to 1, of the answers that at least two judges scored.

    - `within`: the mean of the sample variances of each answer's scores. An answer with more scores has more weight.
    - `overall`: the sample variance of all scores.
    - `least` and `most`: the lowest and the highest score.
    - `mean_spread`: the mean of the standard deviations of each answer's scores. All answers have the same weight.

    If no answer has scores of two judges, all of these are null.
    """

    answers: int
    within: float | None
    overall: float | None
    least: float | None
    most: float | None
    mean_spread: float | None


@dataclass(frozen=True)
class Agreement:
    """Krippendorff's alpha: 1 for perfect agreement, 0 for agreement by chance, negative for less agreement than by
    chance. If it is undefined it is null, and `undefined_because` gives the reason.

    When all answers have similar scores, alpha is low even if the judges are close. `mean_spread`, the mean standard
    deviation of an answer's scores (0…1), then shows how close they are.
    """

    alpha: float | None
    answers: int
    mean_spread: float | None
    undefined_because: str | None = None


NO_AGREEMENT = Agreement(None, 0, None, "no answer is scored by two judges")


def agreement(ratings: Ratings) -> Agreement:
    if ratings.within is None or ratings.overall is None or ratings.least is None or ratings.most is None:
        return NO_AGREEMENT
    if ratings.most - ratings.least < _EQUAL:
        return Agreement(None, ratings.answers, ratings.mean_spread, "all scores are equal")
    return Agreement(1 - ratings.within / ratings.overall, ratings.answers, ratings.mean_spread)
