"""Give units to variants: by a hash of the unit, or by Thompson sampling.

Thompson, "On the likelihood that one unknown probability exceeds another", Biometrika 25 (1933): a variant gets the
share of the next round that equals its probability of being the best. Every variant keeps a minimum share. Without it,
a variant with a bad start would never be tried again, and inverse-propensity means would not exist.

The means of a bandit are biased, mostly downwards, because variants with a bad start get fewer units (Nie et al.,
AISTATS 2018). So these means have no interval. `inverse_propensity_means` corrects the bias: each unit
has the weight 1 / (the probability with which it got its variant).
"""

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from orchestrator.experiments.domain.analysis import beta_binomial
from orchestrator.experiments.domain.analysis.columns import unit_means
from orchestrator.experiments.domain.analysis.quadrature import quadrature
from orchestrator.experiments.domain.analysis.types import AnalysisSetup, Variant, VariantData

if TYPE_CHECKING:
    from orchestrator.experiments.domain.analysis.columns import Floats

FLOOR = 0.1
"""The minimum share of every variant. With many variants, the minimum is half of an equal share, if that is less."""
_FEWEST = 5


def assign(seed: int, unit_id: str, variants: Sequence[Variant]) -> str:
    """Return the id of the unit's variant. The same seed and unit always give the same variant.

    A hash of seed and unit is a number from 0 to 1. The variants divide that range by their allocations, in the order
    of their ids. Units of another experiment are divided independently, because its seed differs.
    """
    digest = hashlib.sha256(f"{seed}:{unit_id}".encode()).digest()
    point = int.from_bytes(digest[:8]) / 2**64
    ordered = sorted(variants, key=lambda variant: variant.id)
    end = 0.0
    for variant in ordered:
        end += variant.traffic_allocation
        if point < end:
            return variant.id
    return max(ordered, key=lambda variant: variant.traffic_allocation).id


def allocate(setup: AnalysisSetup, data: Sequence[VariantData]) -> dict[str, float]:
    """Return the share of the next round that each variant of a bandit gets, by variant id. The shares add up to 1.

    All variants get equal shares until each has five clusters with a value.
    """
    best = probability_best(setup, data)
    equal = 1 / len(data)
    if best is None:
        return {each.variant_id: equal for each in data}
    floor = min(FLOOR, equal / 2)
    return {variant: floor + (1 - len(data) * floor) * share for variant, share in best.items()}


def probability_best(setup: AnalysisSetup, data: Sequence[VariantData]) -> dict[str, float] | None:
    """Return the probability that a variant has the best mean, by variant id. Return `None` if a variant has too few
    clusters. Also return `None` for cost and latency if all values of a variant are equal.

    Pass rates have beta posteriors with a uniform prior. Other metrics have Student t posteriors with the reference
    prior. If all values of a variant are equal, a metric with bounds also has beta posteriors.
    """
    import numpy as np

    values = [unit_means(each.clusters) for each in data]
    if min(len(each) for each in values) < _FEWEST:
        return None
    metric = setup.metric
    spread = all(float(np.ptp(each)) > 1e-9 * max(1.0, float(np.abs(each).max())) for each in values)
    if metric.binary or (not spread and metric.bounds is not None):
        low, high = metric.bounds or (0.0, 1.0)
        arms = [beta_of((each - low) / (high - low)) for each in values]
        shares = beta_binomial.probabilities_best([arm if metric.sign > 0 else arm[::-1] for arm in arms])
    elif not spread:
        return None
    else:
        shares = student_best([_student_of(metric.sign * each) for each in values])
    total = sum(shares)
    return {each.variant_id: share / total for each, share in zip(data, shares, strict=True)}


def beta_of(values: "Floats") -> tuple[float, float]:
    total = float(values.sum())
    return 1 + total, 1 + len(values) - total


def student_best(arms: Sequence[tuple[float, float, float]]) -> list[float]:
    """Return, for each variant of a bandit, the probability that its mean is the largest. Each entry of `arms`
    describes the Student t posterior of a variant's mean: location, scale and degrees of freedom."""
    from scipy.special import stdtr, stdtrit

    nodes, weights = quadrature()
    best = []
    for at, (location, scale, df) in enumerate(arms):
        means = location + scale * stdtrit(df, nodes)
        density = weights.copy()
        for other_location, other_scale, other_df in (*arms[:at], *arms[at + 1 :]):
            density *= stdtr(other_df, (means - other_location) / other_scale)
        best.append(float(density.sum()))
    return best


def inverse_propensity_means(data: Sequence[VariantData]) -> dict[str, float | None]:
    """Return the mean of each variant. Each unit has the weight 1 / (the probability with which it got that variant).

    This probability is the unit's propensity. The weights are normalised (Hájek 1971). The mean is `None` for a variant
    that has no propensities, or no unit with a value. Raises `ValueError` if only some propensities of a variant are
    missing, or if one is impossible.
    """
    import numpy as np

    means: dict[str, float | None] = {}
    for each in data:
        if each.propensities is None:
            means[each.variant_id] = None
            continue
        there = np.array(each.clusters.weights, dtype=np.float64) > 0
        shares = np.array(each.propensities, dtype=np.float64)
        if len(shares) != len(there) or (shares[there] <= 0).any() or (shares[there] > 1).any():
            raise ValueError("every cluster of a bandit has a probability above 0 and at most 1")
        inverse = 1 / shares[there]
        values = unit_means(each.clusters)
        means[each.variant_id] = float(values @ inverse / inverse.sum()) if len(values) else None
    return means


def _student_of(values: "Floats") -> tuple[float, float, float]:
    n = len(values)
    return float(values.mean()), float(values.std(ddof=1)) / n**0.5, n - 1.0
