"""Compute confidence sequences by mixtures. They are shown and decide nothing.

The asymptotic confidence sequence is that of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central
limit theory and asymptotic confidence sequences", arXiv:2103.06476v7, with the tuning of GrowthBook's gbstats. It is
the mixture sequential probability ratio test (Johari, Pekelis and Walsh, arXiv:1512.04922) with an estimated variance.
With few or skewed clusters it errs far more often than it claims, so it is not shown below 100 clusters.

A pass rate has an exact confidence sequence: Robbins, "Statistical methods related to the law of the iterated
logarithm", Annals of Mathematical Statistics 41 (1970), with a uniform mixture.
"""

import math
from collections.abc import Callable

from orchestrator.experiments.domain.analysis.types import Ends

SHOWN_FROM = 100
PASS_RATE_METHOD = "beta-binomial mixture"  # noqa: S105  # a method


def tuning(alpha: float, planned: int) -> float:
    """Return the parameter ρ of the mixture with which the confidence sequence is narrowest near `planned` units
    (arXiv:2103.06476v7, equation 161)."""
    log = -2 * math.log(alpha)
    return math.sqrt((log + math.log(log + 1)) / planned)


def log_ratio(mean: float, n: int, variance: float, mixing: float, *, hypothesis: float = 0.0) -> float:
    """Return the logarithm of the mixture likelihood ratio against the mean `hypothesis`. `mean` is the mean of `n`
    units, `variance` the variance of one unit, and `mixing` the variance of the normal mixture of means."""
    total = variance + n * mixing
    exponent = n * n * mixing * (mean - hypothesis) ** 2 / (2 * variance * total)
    return 0.5 * math.log(variance / total) + exponent


def half_width(n: int, variance: float, mixing: float, alpha: float) -> float:
    """Return the distance from the mean of `n` units to the bounds of the confidence sequence. At a bound, the
    likelihood ratio is 1 / `alpha`. `variance` is the variance of one unit, and `mixing` that of the normal mixture of
    means (see `log_ratio`)."""
    total = variance + n * mixing
    log = math.log(1 / alpha) + 0.5 * math.log(total / variance)
    return math.sqrt(2 * variance * total * log / (n * n * mixing))


def always_valid_p(ratio: float) -> float:
    """Return the p value for the logarithm of a likelihood ratio. The p value stays valid if the data is analysed
    repeatedly while it grows."""
    return math.exp(-ratio) if ratio > 0 else 1.0


def asymptotic_sequence(mean: float, error: float, units: int, *, planned: int, alpha: float) -> Ends:
    """Return the asymptotic confidence sequence of the mean of `units` units, whose standard error is `error`. It is
    narrowest near `planned` units."""
    variance = error**2 * units
    half = half_width(units, variance, variance * tuning(alpha, planned) ** 2, alpha)
    return mean - half, mean + half


def pass_rate_sequence(passed: int, n: int, alpha: float) -> tuple[float, float]:
    """Return the confidence sequence of a pass rate: the lowest and the highest rate that the data does not exclude.
    Let M be the mean likelihood of all rates from 0 to 1. The rates whose likelihood is at most α M are excluded."""
    from scipy.special import betaln

    marginal = float(betaln(1 + passed, 1 + n - passed))
    limit = marginal + math.log(alpha)

    def possible(rate: float) -> bool:
        if (passed and rate <= 0) or (passed < n and rate >= 1):
            return False
        of_passed = passed * math.log(rate) if passed else 0.0
        of_failed = (n - passed) * math.log1p(-rate) if passed < n else 0.0
        return of_passed + of_failed > limit

    rate = passed / n if n else 0.5
    return _edge(possible, rate, 0.0), _edge(possible, rate, 1.0)


def _edge(possible: Callable[[float], bool], inside: float, outside: float) -> float:
    if possible(outside):
        return outside
    for _ in range(60):
        middle = (inside + outside) / 2
        if possible(middle):
            inside = middle
        else:
            outside = middle
    return outside
