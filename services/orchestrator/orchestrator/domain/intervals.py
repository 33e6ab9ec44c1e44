"""Intervals of 95 % confidence for means and rates of clustered results.

Answers of one task are one cluster, and so are those of one conversation: epochs, the answers of several
targets, and turns are not independent. Standard errors as in Miller, "Adding Error Bars to Evals" (2024),
section 2.2, with the small-sample factor G/(G-1) and the t distribution on G-1.
"""

import math
from dataclasses import dataclass
from statistics import NormalDist

_Z = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True)
class Clusters:
    """Sums over clusters: their number, results n, values x, and the products of those."""

    count: int
    n: int
    x: float
    xx: float
    xn: float
    nn: int


def mean_interval(sums: Clusters) -> tuple[float, float] | None:
    """`None` with fewer than two clusters, or where nothing varies: the spread is unknown then.
    Values are of 0…1, and so is the interval."""
    error = standard_error(sums)
    if error is None:
        return None
    mean = sums.x / sums.n
    half = t_975(sums.count - 1) * error
    return max(0.0, mean - half), min(1.0, mean + half)


def standard_error(sums: Clusters) -> float | None:
    """Of the mean. `None` with fewer than two clusters, or where nothing varies."""
    if sums.count < 2:
        return None
    mean = sums.x / sums.n
    squares = sums.xx - 2 * mean * sums.xn + mean * mean * sums.nn
    variance = sums.count / (sums.count - 1) * squares / (sums.n * sums.n)
    # Sums of floats that are all equal leave a trace of rounding.
    if variance <= 1e-15:
        return None
    return math.sqrt(variance)


def rate_interval(rate: float, clusters: int) -> tuple[float, float] | None:
    """Wilson (1927), over the clusters: with several results each it is on the careful side."""
    if clusters < 2:
        return None
    z2 = _Z * _Z
    centre = (rate + z2 / (2 * clusters)) / (1 + z2 / clusters)
    half = _Z / (1 + z2 / clusters) * math.sqrt(rate * (1 - rate) / clusters + z2 / (4 * clusters * clusters))
    return max(0.0, centre - half), min(1.0, centre + half)


def t_975(df: int) -> float:
    """Quantile 0.975 of Student's t: exact for 1 and 2 degrees of freedom, else the expansion of
    Abramowitz and Stegun, 26.7.5, right to 2 in 1,000 at 3 and better beyond."""
    if df == 1:
        return math.tan(math.pi * 0.475)
    if df == 2:
        return 0.95 / math.sqrt(2 * 0.975 * 0.025)
    z = _Z
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum((term / df**power for power, term in enumerate(terms, start=1)), 0.0)
