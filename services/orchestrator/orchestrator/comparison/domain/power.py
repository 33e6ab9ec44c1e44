"""Compute the probability that the lower bound of a mean difference lies above a given point. This is used to plan
gates and to explain verdicts.

The bound is that of a t test, so the noncentral t distribution gives the probability (Julious, "Sample sizes for
clinical trials with normal data", 2004, section 5). For few clusters, or clusters with little variance, the betting
bound (see betting.py) replaces that of the t test, as in interval.py.

The distance from the mean to the betting bound is approximately √(D² + 2 ln(1/α) se²). D is the distance for a sample
of equal clusters, and se the standard error. Simulated bounds differ from the approximation by at most 3 %, and most of
them are closer to the mean.
"""

import math
from collections.abc import Callable
from functools import lru_cache
from statistics import NormalDist

from orchestrator.comparison.domain.betting import Betting
from orchestrator.comparison.domain.clusters import ClusterSums
from orchestrator.comparison.domain.interval import BETTING_BELOW, RARE, SCORES, SIGN_FLIP_BELOW, least_variance

_MOST_CLUSTERS = 100_000_000
# The largest number of equal clusters for which a bound is computed. A larger number gets the same bound, because this
# one is already closer to the mean than any margin.
_MANY = 1_000_000


def probability_above(
    *, variance: float, clusters: int, mean: float, distance: float, alpha: float, bounded: bool = True
) -> float:
    """Return the probability that the lower bound at the level `alpha` is above the point `mean - distance`.

    `mean` and `variance` are those of the clusters' differences (see `ClusterSums`). `bounded` is true if the
    differences are those of scores or verdicts, from -1 to 1. Unbounded differences of fewer than 10 clusters have no
    lower bound, so the probability is 0.
    """
    if clusters < 1 or distance <= 0:
        return 0.0
    if not bounded:
        return _unbounded(variance, clusters, distance, alpha)
    if clusters < BETTING_BELOW or variance <= 0:
        return _betting(variance, clusters, mean, distance, alpha)
    share = _share_of_betting(variance, clusters, mean)
    of_t = (1 - share) * _noncentral_t(variance, clusters, distance, alpha)
    return of_t + (share * _betting(variance, clusters, mean, distance, alpha) if share else 0)


def fewest(enough: Callable[[int], bool]) -> int | None:
    """Return the smallest number of clusters for which `enough` is true. Return `None` if it is false for each power of
    two up to 2²⁶, about 67 million. `enough` has to stay true for all greater numbers."""
    most = 1
    while not enough(most):
        most *= 2
        if most > _MOST_CLUSTERS:
            return None
    least = most // 2
    while most - least > 1:
        middle = (least + most) // 2
        least, most = (least, middle) if enough(middle) else (middle, most)
    return most


def _noncentral_t(variance: float, clusters: int, distance: float, alpha: float) -> float:
    from scipy.special import nctdtr, stdtrit

    df = clusters - 1
    critical = stdtrit(df, 1 - alpha)
    shift = distance * math.sqrt(clusters / variance)
    # Far from the critical value nctdtr is imprecise, but the result is practically 0 or 1.
    if abs(shift - critical) > 30:
        return 1.0 if shift > critical else 0.0
    return 1 - float(nctdtr(df, shift, critical))


def _unbounded(variance: float, clusters: int, distance: float, alpha: float) -> float:
    if clusters < BETTING_BELOW:
        return 0.0
    if variance <= 0:
        return 1.0 if (1 - RARE) ** clusters <= alpha else 0.0
    return _noncentral_t(variance, clusters, distance, alpha)


def _betting(variance: float, clusters: int, mean: float, distance: float, alpha: float) -> float:
    equal = _bound_of_equal(min(clusters, _MANY), alpha) * (1 + mean)
    error = math.sqrt(max(variance, 0) / clusters)
    bound = math.hypot(equal, math.sqrt(2 * math.log(1 / alpha)) * error)
    if error == 0:
        return 1.0 if bound < distance else 0.0
    return NormalDist().cdf((distance - bound) / error)


@lru_cache(maxsize=1_000)
def _bound_of_equal(clusters: int, alpha: float) -> float:
    return -Betting(ClusterSums(((0.0, 1, clusters),)), SCORES).low(alpha)


def _share_of_betting(variance: float, clusters: int, mean: float) -> float:
    """Return the probability that a sample has so little variance that the betting bound replaces that of the t
    test."""
    if clusters >= SIGN_FLIP_BELOW:
        return 0.0
    from scipy.special import chdtr

    df = clusters - 1
    return float(chdtr(df, df * least_variance(clusters, 1 + mean) / variance))
