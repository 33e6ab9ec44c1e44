"""Apply the guardrails of an experiment to one treatment."""

from collections.abc import Sequence

from orchestrator.experiments.domain.analysis import guardrails, sequential
from orchestrator.experiments.domain.analysis.columns import unit_means, weighted
from orchestrator.experiments.domain.analysis.guardrails import NonInferiority
from orchestrator.experiments.domain.analysis.samples import Sample, known
from orchestrator.experiments.domain.analysis.types import (
    AnalysisSetup,
    Clusters,
    GuardrailMetric,
    GuardrailResult,
    Variant,
    VariantData,
)
from orchestrator.experiments.domain.words import Design, Method

_NONE = Clusters()


def guardrail_results(
    setup: AnalysisSetup, treatment: Variant, control: VariantData, data: VariantData, *, decides: bool
) -> list[GuardrailResult]:
    """Return the result of each guardrail of a treatment. If `decides` is false, every guardrail stays undecided."""
    found = []
    for guardrail in setup.guardrails:
        of_control, of_treatment = _clusters(control, guardrail), _clusters(data, guardrail)
        sample = Sample(setup, guardrail.metric, treatment, of_control, of_treatment)
        found.append(_result(setup, guardrail, sample, decides=decides))
    return found


def guardrails_of_control(setup: AnalysisSetup, control: VariantData) -> list[GuardrailResult]:
    """Return the results of the guardrails for the control. They have a mean, but no comparison."""
    found = []
    for guardrail in setup.guardrails:
        clusters = _clusters(control, guardrail)
        mean = mean_of(setup, clusters)
        found.append(_shown(guardrail, mean, mean, level=_level(setup), reason="the control has nothing to lose to"))
    return found


def mean_of(setup: AnalysisSetup, clusters: Clusters) -> float | None:
    """Return the mean over answers in a paired design, and over units in a split design."""
    if setup.design is Design.SPLIT:
        units = unit_means(clusters)
        return float(units.mean()) if len(units) else None
    totals, weights = weighted(clusters)
    return float(totals.sum() / weights.sum()) if len(weights) else None


def _clusters(data: VariantData, guardrail: GuardrailMetric) -> Clusters:
    return (data.guardrails or {}).get(guardrail.metric.name, _NONE)


def _level(setup: AnalysisSetup) -> float:
    if setup.method is Method.SEQUENTIAL:
        return 1 - setup.significance_level / len(setup.treatments)
    return 1 - 2 * setup.significance_level


def _result(setup: AnalysisSetup, guardrail: GuardrailMetric, sample: Sample, *, decides: bool) -> GuardrailResult:
    estimate, metric, level = sample.estimate, guardrail.metric, _level(setup)
    method, reason, test = f"one-sided {estimate.method}", estimate.reason, _undecided()
    if setup.is_bandit:
        method, reason = "none", "the means of a bandit are biased, so guardrails are not tested"
    elif setup.method is Method.SEQUENTIAL:
        ends = sample.bounds(1 - level)
        method, reason = sequential.METHOD, None if ends else "the cap is not known yet"
        test = guardrails.by_bounds(*ends, sign=metric.sign, margin=guardrail.margin) if ends else _undecided()
    else:
        test = guardrails.by_t(estimate, sign=metric.sign, margin=guardrail.margin, alpha=setup.significance_level)
    return _shown(
        guardrail,
        sample.treatment_mean,
        sample.control_mean,
        level=level,
        difference=estimate.mean,
        test=test,
        decides=decides,
        method=method,
        reason=reason,
    )


def _undecided() -> NonInferiority:
    return NonInferiority(passed=False, lost=False)


def _shown(  # noqa: PLR0913  # the fields of the result
    guardrail: GuardrailMetric,
    mean: float | None,
    control_mean: float | None,
    *,
    level: float,
    difference: float | None = None,
    test: NonInferiority | None = None,
    decides: bool = False,
    method: str | None = None,
    reason: str | None = None,
) -> GuardrailResult:
    interval = None
    if test and test.low is not None and test.high is not None:
        low, high = (test.low, test.high) if guardrail.metric.sign > 0 else (-test.high, -test.low)
        interval = known(low), known(high)
    return GuardrailResult(
        metric=guardrail.metric.name,
        mean=mean,
        control_mean=control_mean,
        difference=difference,
        interval=interval,
        level=level,
        margin=guardrail.margin,
        relative=guardrail.metric.relative,
        direction=guardrail.metric.direction,
        passed=bool(decides and test and test.passed),
        lost=bool(decides and test and test.lost),
        method=method,
        reason=reason,
    )


def all_passed(results: Sequence[GuardrailResult]) -> bool:
    return all(result.passed for result in results)


def any_lost(results: Sequence[GuardrailResult]) -> bool:
    return any(result.lost for result in results)
