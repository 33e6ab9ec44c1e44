"""What a gate can tell before it is paid for: the power of a one-sided non-inferiority test on paired differences.

A t test with the noncentral t distribution, as in Julious, "Sample sizes for clinical trials with normal data" (2004),
section 5. Where the interval is the betting one (see interval.py) its bound lies √(D² + 2 ln(1/α) se²) below the mean,
with D its distance where all clusters are equal: within 3 % of simulated bounds, mostly on the careful side.
"""

import math
from functools import lru_cache
from statistics import NormalDist

from orchestrator.domain.comparison.betting import Betting
from orchestrator.domain.comparison.clusters import ClusterSums
from orchestrator.domain.comparison.interval import BETTING_BELOW, RARE, SCORES, SIGN_FLIP_BELOW, least_variance

ALPHA = 0.05
LEAST_POWER = 0.8
WORST_VARIANCE = 0.25
"""Of the difference of one case, where no pilot says better."""
_MOST_CLUSTERS = 100_000_000
# The bound of so many equal clusters is nearer than any margin.
_MANY = 1_000_000


def probability_fine(
    *,
    variance: float = WORST_VARIANCE,
    clusters: int,
    margin: float,
    effect: float = 0.0,
    pairs: int = 1,
    bounded: bool = True,
) -> float:
    """The probability that a gate says *fine* of a candidate whose mean differs by `effect`; 0 is an unchanged model.

    `variance` is that of a pilot (`ClusterSums.variance`), `pairs` the number of gated pairs, which all have to be
    fine: their probabilities are multiplied, which is on the careful side. `bounded`: differences of scores or passes,
    on -1…1. Raises `ValueError` for a margin that is not above 0.
    """
    if not margin > 0:
        raise ValueError("a margin is above 0")
    if clusters < 1:
        return 0.0
    distance = margin + effect
    if not bounded:
        one = _power_unbounded(variance, clusters, distance)
    elif clusters < BETTING_BELOW or variance <= 0:
        one = _power_of_betting(variance, clusters, distance)
    else:
        betting = _share_of_betting(variance, clusters, effect)
        one = (1 - betting) * _power(variance, clusters, distance)
        if betting > 0:
            one += betting * _power_of_betting(variance, clusters, distance)
    return float(one**pairs)


def needed_clusters(
    *,
    margin: float,
    variance: float = WORST_VARIANCE,
    effect: float = 0.0,
    power: float = LEAST_POWER,
    pairs: int = 1,
    bounded: bool = True,
) -> int | None:
    """The fewest clusters with which the gate says *fine* with probability `power`. `None` where no number does: the
    candidate is worse by the margin or more, or more than 100,000,000 would be needed."""

    def enough(clusters: int) -> bool:
        found = probability_fine(
            variance=variance, clusters=clusters, margin=margin, effect=effect, pairs=pairs, bounded=bounded
        )
        return found >= power

    if margin + effect <= 0:
        return None
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


def needed_margin(
    *,
    clusters: int,
    variance: float = WORST_VARIANCE,
    effect: float = 0.0,
    power: float = LEAST_POWER,
    pairs: int = 1,
    bounded: bool = True,
) -> float | None:
    """The smallest margin, rounded up to 0.001, with which these clusters say *fine* with probability `power`. `None`
    where none below 1 does."""
    steps = 1_000

    def enough(step: int) -> bool:
        found = probability_fine(
            variance=variance, clusters=clusters, margin=step / steps, effect=effect, pairs=pairs, bounded=bounded
        )
        return found >= power

    if not enough(steps - 1):
        return None
    least, most = 0, steps - 1
    while most - least > 1:
        middle = (least + most) // 2
        least, most = (least, middle) if enough(middle) else (middle, most)
    return most / steps


def _power(variance: float, clusters: int, distance: float) -> float:
    from scipy.special import nctdtr, stdtrit

    df = clusters - 1
    critical = stdtrit(df, 1 - ALPHA)
    shift = distance * math.sqrt(clusters / variance)
    # Far from the critical value the noncentral t has no more digits; its limit has.
    if abs(shift - critical) > 30:
        return 1.0 if shift > critical else 0.0
    return 1 - float(nctdtr(df, shift, critical))


def _power_unbounded(variance: float, clusters: int, distance: float) -> float:
    if clusters < BETTING_BELOW or distance <= 0:
        return 0.0
    if variance <= 0:
        return 1.0 if (1 - RARE) ** clusters <= ALPHA else 0.0
    return _power(variance, clusters, distance)


def _power_of_betting(variance: float, clusters: int, distance: float) -> float:
    if distance <= 0:
        return 0.0
    equal = _bound_of_equal(min(clusters, _MANY))
    error = math.sqrt(variance / clusters)
    bound = math.hypot(equal, math.sqrt(2 * math.log(1 / ALPHA)) * error)
    if error == 0:
        return 1.0 if bound < distance else 0.0
    return NormalDist().cdf((distance - bound) / error)


@lru_cache(maxsize=1_000)
def _bound_of_equal(clusters: int) -> float:
    return -Betting(ClusterSums(((0.0, 1, clusters),)), SCORES).low(ALPHA)


def _share_of_betting(variance: float, clusters: int, effect: float) -> float:
    """How often the sample's variance is so small that the interval is the betting one."""
    if clusters >= SIGN_FLIP_BELOW:
        return 0.0
    from scipy.special import chdtr

    df = clusters - 1
    return float(chdtr(df, df * least_variance(clusters, 1 + effect) / variance))
