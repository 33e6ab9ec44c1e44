"""Compute the power of a planned sample, for each method.

The fixed methods use the noncentral t distribution (Julious, "Sample sizes for clinical trials with normal data",
2004).

The sequential method bets on each cluster, and decides as soon as its capital reaches a limit (see `sequential.py`).
Its power is approximated by the probability that the capital is above the limit after the last planned cluster. The
logarithm of the capital is taken as normally distributed. Let δ be the effect, σ² the variance, and λ the bet. Each
cluster then changes the logarithm by λδ - λ²(σ² + δ²)/2 on average, with the standard deviation λσ.

In simulations, the power differs from this approximation by at most 10 points. Mostly it is higher, because the capital
may reach the limit earlier and fall again.
"""

import math
from statistics import NormalDist

from orchestrator.experiments.domain.analysis.sequential import CALIBRATION, CAP_FACTOR, STAKE
from orchestrator.experiments.domain.analysis.types import AnalysisSetup
from orchestrator.experiments.domain.words import Design, Method

# A cap is estimated from few clusters, so it may be larger than meant; a larger cap needs more clusters.
_CAP_MARGIN = 1.2


def power_of(setup: AnalysisSetup, *, clusters: int, effect: float, variance: float) -> float:
    """Return the probability that `clusters` clusters of each variant show an effect of this size.

    `variance` is that of the difference of one pair in a paired design, and of one cluster of one variant in a split
    design. The significance level is divided by the number of treatments.
    """
    if clusters < 2 or effect <= 0:
        return 0.0
    of_difference = variance if setup.design is Design.PAIRED else 2 * variance
    alpha = setup.significance_level / len(setup.treatments)
    if setup.method is Method.SEQUENTIAL:
        return _sequential_power(setup, clusters, effect, of_difference, alpha)
    df = clusters - 1 if setup.design is Design.PAIRED else 2 * (clusters - 1)
    return t_power(df, effect * math.sqrt(clusters / of_difference) if of_difference > 0 else math.inf, alpha / 2)


def t_power(df: float, shift: float, alpha: float) -> float:
    """Return the power of a one-sided t test at the level `alpha`, if `shift` is the noncentrality of t."""
    from scipy.special import nctdtr, stdtrit

    critical = float(stdtrit(df, 1 - alpha))
    # Far from the critical value nctdtr is imprecise, but the result is practically 0 or 1.
    if abs(shift - critical) > 30:
        return 1.0 if shift > critical else 0.0
    return 1 - float(nctdtr(df, shift, critical))


def expected_clusters(setup: AnalysisSetup, *, clusters: int, effect: float, variance: float) -> int:
    """Return how many of the planned `clusters` the sequential method needs on average for an effect of this size."""
    of_difference = variance if setup.design is Design.PAIRED else 2 * variance
    alpha = setup.significance_level / len(setup.treatments) / 2
    span, before = _span(setup)
    if clusters - before < 1:
        return clusters
    _, growth = _growth(clusters - before, effect / span, of_difference / span**2, alpha)
    if growth <= 0:
        return clusters
    return min(clusters, before + math.ceil(math.log(1 / alpha) / growth))


def _sequential_power(setup: AnalysisSetup, clusters: int, effect: float, variance: float, alpha: float) -> float:
    span, before = _span(setup)
    n = clusters - before
    if n < 2:
        return 0.0
    effect, variance, limit = effect / span, variance / span**2, math.log(2 / alpha)
    bet, growth = _growth(n, effect, variance, alpha / 2)
    noise = bet * math.sqrt(n * variance)
    if noise <= 0:
        return 1.0 if n * growth > limit else 0.0
    return NormalDist().cdf((n * growth - limit) / noise)


def _growth(n: int, effect: float, variance: float, alpha: float) -> tuple[float, float]:
    bet = STAKE if variance <= 0 else min(STAKE, math.sqrt(2 * math.log(1 / alpha) / (n * variance)))
    return bet, bet * effect - bet**2 * (variance + effect**2) / 2


def _span(setup: AnalysisSetup) -> tuple[float, int]:
    """Return the largest possible size of a difference, and the number of clusters on which the sequential method does
    not bet. These are the first clusters: they only set the cap of cost or latency (see `sequential.py`)."""
    if setup.metric.bounds is None:
        return _CAP_MARGIN * CAP_FACTOR, CALIBRATION if setup.metric.cap is None else 0
    low, high = setup.metric.bounds
    return high - low, 0
