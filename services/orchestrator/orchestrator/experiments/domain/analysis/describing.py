"""Describe each variant on its own: its mean, spread and interval."""

import math
from collections.abc import Sequence
from statistics import NormalDist

from orchestrator.experiments.domain.analysis import estimates, mixtures, sequential
from orchestrator.experiments.domain.analysis.columns import unit_means, weighted
from orchestrator.experiments.domain.analysis.estimates import Estimate
from orchestrator.experiments.domain.analysis.guarding import mean_of
from orchestrator.experiments.domain.analysis.health import coverage
from orchestrator.experiments.domain.analysis.samples import known
from orchestrator.experiments.domain.analysis.types import (
    AnalysisSetup,
    Ends,
    GuardrailResult,
    VariantAnalysis,
    VariantData,
)
from orchestrator.experiments.domain.words import Design, Method

_Described = tuple[Ends | None, str | None, str | None]
"""The interval, its method, and the reason if there is none."""


def describe(
    setup: AnalysisSetup, data: VariantData, guardrails: Sequence[GuardrailResult], out_reason: str | None
) -> VariantAnalysis:
    units = unit_means(data.clusters)
    interval, method, reason = _interval(setup, data)
    return VariantAnalysis(
        variant_id=data.variant_id,
        sample_size=len(units),
        assigned=data.assigned,
        answered=data.answered,
        missing=data.missing,
        coverage=coverage(data),
        mean=mean_of(setup, data.clusters),
        std=float(units.std(ddof=1)) if len(units) > 1 else None,
        interval=interval,
        level=1 - setup.significance_level,
        interval_method=method,
        guardrails=guardrails,
        is_out=out_reason is not None,
        out_reason=out_reason,
        reason=reason,
    )


def wilson(passed: int, n: int, alpha: float) -> tuple[float, float]:
    """Return Wilson's interval of a pass rate at the confidence level 1 - `alpha` (JASA 22, 1927).

    >>> wilson(0, 10, 0.05)[0]
    0.0
    """
    z = NormalDist().inv_cdf(1 - alpha / 2)
    rate, spread = passed / n, z * z / n
    middle = (rate + spread / 2) / (1 + spread)
    half = z / (1 + spread) * math.sqrt(rate * (1 - rate) / n + spread / n / 4)
    return max(0.0, middle - half) if passed else 0.0, min(1.0, middle + half) if passed < n else 1.0


def _interval(setup: AnalysisSetup, data: VariantData) -> _Described:
    totals, weights = weighted(data.clusters)
    if setup.design is Design.SPLIT:
        totals, weights = totals / weights, weights * 0 + 1
    if not len(weights):
        return None, None, "no cluster has a value"
    if setup.is_bandit:
        return None, None, "the means of a bandit are biased, so they have no interval"
    alpha, bounds = setup.significance_level, setup.metric.bounds
    single = setup.metric.binary and bool(((weights == 1) & ((totals == 0) | (totals == 1))).all())
    if setup.method is Method.SEQUENTIAL and bounds is not None:
        if single:
            return mixtures.pass_rate_sequence(int(totals.sum()), len(totals), alpha), mixtures.PASS_RATE_METHOD, None
        largest = setup.largest_cluster if setup.design is Design.PAIRED else 1.0
        mean = sequential.bounded_mean(totals, weights, bounds=bounds, planned=setup.tuned_for, largest=largest)
        return (known(mean.low(alpha / 2)), known(mean.high(alpha / 2))), sequential.METHOD, None
    if single:
        return wilson(int(totals.sum()), len(totals), alpha), "Wilson", None
    return _by_t(setup, estimates.of_mean(totals, weights), alpha)


def _by_t(setup: AnalysisSetup, estimate: Estimate, alpha: float) -> _Described:
    ends = estimate.interval(alpha)
    if ends is None:
        return None, None, estimate.reason
    least, most = setup.metric.bounds or (0.0, math.inf)
    method = estimate.method
    if setup.method is Method.SEQUENTIAL:
        method += ", valid for one look only"
    return (max(least, ends[0]), min(most, ends[1])), method, None
