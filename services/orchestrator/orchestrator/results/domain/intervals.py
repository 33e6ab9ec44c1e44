"""Compute 95 % confidence intervals for means and rates of clustered results.

The answers of a cluster are not independent, for example the answers of several targets and epochs to one task.
Standard errors follow Miller, "Adding Error Bars to Evals" (2024), section 2.2. With G clusters, they have the
small-sample factor G/(G-1), and intervals use the t distribution with G-1 degrees of freedom.
"""

import math
from dataclasses import dataclass
from statistics import NormalDist

_Z = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True)
class Clusters:
    """Sums over clusters. For each cluster, n is the number of its results and x is the sum of their values.

    `count` is the number of clusters. `n` and `x` are the totals; `xx`, `xn` and `nn` are the sums of x², x·n and n².
    """

    count: int
    n: int
    x: float
    xx: float
    xn: float
    nn: int


def mean_interval(sums: Clusters) -> tuple[float, float] | None:
    """Return the 95 % interval of a mean of values from 0 to 1, clipped to 0…1.

    Return `None` with fewer than two clusters, or if all clusters have the same mean: the spread is then unknown.
    """
    error = standard_error(sums)
    if error is None:
        return None
    mean = sums.x / sums.n
    half = t_975(sums.count - 1) * error
    return max(0.0, mean - half), min(1.0, mean + half)


def standard_error(sums: Clusters) -> float | None:
    """Return the standard error of the mean; `None` with fewer than two clusters, or if all clusters have the same
    mean."""
    if sums.count < 2:
        return None
    mean = sums.x / sums.n
    squares = sums.xx - 2 * mean * sums.xn + mean * mean * sums.nn
    variance = sums.count / (sums.count - 1) * squares / (sums.n * sums.n)
    # Rounding errors can make the variance of equal values slightly greater than 0.
    if variance <= 1e-15:
        return None
    return math.sqrt(variance)


def pass_interval(sums: Clusters) -> tuple[float, float] | None:
    """Return Wilson's interval (1927) for a pass rate of clustered results: `x` of `n` results passed. `None` with
    fewer than two clusters."""
    if sums.count < 2:
        return None
    return rate_interval(sums.x / sums.n, effective_results(sums))


def effective_results(sums: Clusters, results: int | None = None) -> float:
    """Return how many independent results would be as informative about a rate: the number of results divided by the
    design effect. At least two clusters are needed.

    `results` is the number of results, if `sums.n` counts something else, such as cases with several tries each.

    The design effect is the variance over clusters divided by that of independent results (Kish 1965). With few
    clusters, its estimate is poor, so t quantiles correct the result (Korn and Graubard 1998).

    The result is at least n²/Σn²: the number of clusters, if their sizes are equal. It is this minimum if all results
    passed or none did, because the similarity within a cluster is then unknown.
    """
    n = sums.n
    most = n if results is None else results
    rate = sums.x / n
    fewest = n * n / sums.nn
    independent = n * n / (most - 1) * rate * (1 - rate)
    if independent <= 1e-12:
        return fewest
    squares = max(0.0, sums.xx - 2 * rate * sums.xn + rate * rate * sums.nn)
    design_effect = max(1.0, sums.count / (sums.count - 1) * squares / independent)
    effective = most / design_effect * (t_975(most - 1) / t_975(sums.count - 1)) ** 2
    return min(float(most), max(fewest, effective))


def rate_interval(rate: float, results: float) -> tuple[float, float] | None:
    """Return Wilson's 95 % interval (1927) for a rate over independent results; `None` for one result or fewer.
    `results` may be an effective number of results."""
    if results <= 1:
        return None
    z2 = _Z * _Z
    centre = (rate + z2 / (2 * results)) / (1 + z2 / results)
    half = _Z / (1 + z2 / results) * math.sqrt(rate * (1 - rate) / results + z2 / (4 * results * results))
    return max(0.0, centre - half), min(1.0, centre + half)


def t_975(df: int) -> float:
    """Return the 0.975 quantile of Student's t.

    The value is exact for 1 and 2 degrees of freedom. For more, it follows the expansion of Abramowitz and Stegun,
    26.7.5. Its relative error is then below 0.2 %.
    """
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
