"""How much the judges of a panel agree: Krippendorff's alpha for interval data.

Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011): α = 1 - D_o / D_e. With squared differences both are
variances, so they are taken from sums and need no table of values: D_o is the mean, over the ratings, of the variance
within the rating's answer, D_e the variance of all ratings (both with n - 1). Answers that one judge alone scored
cannot be paired and are left out.
"""

from dataclasses import dataclass

_EQUAL = 1e-9
"""Scores that floating point alone tells apart are equal."""


@dataclass(frozen=True)
class Ratings:
    """The scores, from 0 to 1, of the answers that two judges or more have scored.

    `within` is the mean over the ratings of their answer's sample variance, `overall` the sample variance of all
    ratings, `mean_spread` the mean over the answers of their standard deviation. Null where there is no such answer.
    """

    answers: int
    within: float | None
    overall: float | None
    least: float | None
    most: float | None
    mean_spread: float | None


@dataclass(frozen=True)
class Agreement:
    """`alpha` is 1 for judges who always agree, 0 for such as agree by chance, less for worse; null with the reason
    where it is not defined. Where the answers hardly differ it is low however near the judges are: `mean_spread`, a
    standard deviation on the scale from 0 to 1, tells that."""

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
