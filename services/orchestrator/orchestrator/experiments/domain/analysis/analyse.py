"""Analyse the data that an experiment has so far. One such analysis is called a look."""

from collections.abc import Sequence
from dataclasses import replace

from orchestrator.experiments.domain.analysis import wording
from orchestrator.experiments.domain.analysis.allocation import allocate, inverse_propensity_means, probability_best
from orchestrator.experiments.domain.analysis.comparing import Compared, compare
from orchestrator.experiments.domain.analysis.deciding import OUT, decide_experiment, decide_treatment, may_decide
from orchestrator.experiments.domain.analysis.describing import describe
from orchestrator.experiments.domain.analysis.estimates import effect_word
from orchestrator.experiments.domain.analysis.guarding import guardrail_results, guardrails_of_control
from orchestrator.experiments.domain.analysis.health import allocated_as_planned, coverage, covered
from orchestrator.experiments.domain.analysis.power import power_of
from orchestrator.experiments.domain.analysis.samples import Sample
from orchestrator.experiments.domain.analysis.types import (
    Analysis,
    AnalysisSetup,
    Comparison,
    GuardrailResult,
    SampleRatio,
    State,
    VariantAnalysis,
    VariantData,
)
from orchestrator.experiments.domain.words import Method

_UNDECIDED = frozenset({State.N_LEFT, State.UNHEALTHY})
_NOT_COMPLETE = "the p value is shown once, when the planned sample is complete"


def analyse(setup: AnalysisSetup, data: Sequence[VariantData], *, final: bool = False) -> Analysis:
    """Return the analysis of the data so far. It is a pure function: equal data gives an equal analysis.

    `data` has every variant of the setup once, in any order. `final` is true if no more calls will be made, although
    the planned sample is not complete. Raises `ValueError` for data that contradicts the setup.
    """
    of = {each.variant_id: each for each in data}
    if len(of) != len(data) or set(of) != {variant.id for variant in setup.variants}:
        raise ValueError("the data has every variant of the experiment once")
    ordered = [of[variant.id] for variant in setup.variants]
    control = of[setup.control.id]
    samples = [
        Sample(setup, setup.metric, variant, control.clusters, of[variant.id].clusters) for variant in setup.treatments
    ]
    compared = compare(setup, samples)
    guarded = [
        guardrail_results(
            setup, each.sample.treatment, control, of[each.sample.treatment.id], decides=may_decide(setup, each)
        )
        for each in compared
    ]
    ratio = allocated_as_planned(setup, ordered)
    problems = _problems(setup, ordered, ratio)
    states = [
        State.UNHEALTHY if problems else decide_treatment(setup, each, results, final=final)
        for each, results in zip(compared, guarded, strict=True)
    ]
    comparisons = [
        _comparison(setup, each, state, results) for each, state, results in zip(compared, states, guarded, strict=True)
    ]
    out = _out(setup, comparisons)
    state = decide_experiment(states, healthy=not problems)
    best = _best(setup, comparisons)
    name = next(variant.name for variant in setup.variants if variant.id == best.variant_id)
    ended = final or all(each.sample.ended >= setup.planned for each in compared)
    return Analysis(
        state=state,
        done=ended or state not in _UNDECIDED,
        winner=best.variant_id if state is State.SHIP else None,
        best=best.variant_id,
        is_significant=best.is_significant,
        sample_left=0 if ended or state not in _UNDECIDED else max(each.sample_left for each in comparisons),
        variants=_variants(setup, ordered, guarded, out),
        comparisons=comparisons,
        out=out,
        sample_ratio=ratio,
        method=wording.method_words(setup, [each.method for each in compared]),
        stopping_rule=wording.stopping_rule(setup),
        assumptions=_assumptions(setup, compared),
        library=_library(),
        sentence=wording.of_experiment(setup, state, name, [each.sentence for each in comparisons], problems),
        recommendation=wording.recommendation(setup, state, name),
        warnings=[*problems, *_warnings(setup, comparisons, compared)],
    )


def _problems(setup: AnalysisSetup, data: Sequence[VariantData], ratio: SampleRatio) -> list[str]:
    """Return a sentence for each reason why the data cannot be trusted."""
    found = []
    if ratio.mismatch:
        counts = ", ".join(f"{each.assigned:,}" for each in data)
        found.append(f"Units were not divided as allocated (counts {counts}; chi-square p below .001).")
    names = {variant.id: variant.name for variant in setup.variants}
    for each in data:
        share = coverage(each)
        if share is not None and not covered(each):
            found.append(f"{names[each.variant_id]} has a value for {100 * share:.0f} % of its answers, under 90 %.")
    return found


def _comparison(
    setup: AnalysisSetup, compared: Compared, state: State, guardrails: Sequence[GuardrailResult]
) -> Comparison:
    sample, posterior = compared.sample, compared.posterior
    estimate, d, base = sample.estimate, sample.effect_size, sample.control_mean
    undecided = state in _UNDECIDED or setup.is_bandit
    hidden = setup.method is Method.FREQUENTIST and sample.ended < setup.planned
    lift = estimate.mean if sample.metric.relative else None
    if lift is None and estimate.mean is not None and base is not None and base > 0:
        lift = estimate.mean / base
    return Comparison(
        variant_id=sample.treatment.id,
        state=state,
        sample_size=estimate.clusters,
        expected=estimate.mean,
        relative=sample.metric.relative,
        interval=compared.interval,
        level=compared.level,
        method=compared.method,
        robust_interval=compared.robust,
        sequence=compared.sequence,
        lift=lift,
        p_value=None if hidden else compared.p,
        raw_p_value=None if hidden else compared.raw_p,
        probability_of_improvement=posterior.probability_of_improvement if posterior else None,
        risk_of_treatment=posterior.risk_of_treatment if posterior else None,
        risk_of_control=posterior.risk_of_control if posterior else None,
        effect_size=d,
        effect_word=effect_word(d),
        favourable=None if not estimate.mean else estimate.mean * sample.metric.sign > 0,
        power=_power(setup, sample),
        sample_left=0 if state in OUT else max(0, setup.planned - sample.ended),
        is_significant=None if undecided or (state is State.LIMIT and hidden) else compared.better or compared.worse,
        sentence=wording.of_treatment(setup, compared, state, guardrails),
        reason=compared.reason or (_NOT_COMPLETE if hidden else None),
    )


def _power(setup: AnalysisSetup, sample: Sample) -> float | None:
    """Return the power of the planned sample for the minimum effect, computed with the variance of the data so far.
    Return `None` if the variance is unknown, and for a bandit."""
    estimate = sample.estimate
    if estimate.error is None or setup.is_bandit:
        return None
    of_difference = estimate.error**2 * estimate.clusters
    variance = of_difference if sample.paired else of_difference / 2
    return power_of(setup, clusters=setup.planned, effect=setup.minimum_effect, variance=variance)


def _out(setup: AnalysisSetup, comparisons: Sequence[Comparison]) -> dict[str, str]:
    if setup.method is not Method.SEQUENTIAL or setup.is_bandit:
        return {}
    return {each.variant_id: each.sentence for each in comparisons if each.state in OUT}


def _best(setup: AnalysisSetup, comparisons: Sequence[Comparison]) -> Comparison:
    """Return the comparison of the best treatment. It has the best estimate among the treatments that beat the control,
    or among all treatments if none does."""
    winners = [each for each in comparisons if each.state is State.SHIP]
    sign = setup.metric.sign
    return max(
        winners or comparisons, key=lambda each: float("-inf") if each.expected is None else sign * each.expected
    )


def _variants(
    setup: AnalysisSetup,
    data: Sequence[VariantData],
    guarded: Sequence[Sequence[GuardrailResult]],
    out: dict[str, str],
) -> list[VariantAnalysis]:
    control = setup.control.id
    results = dict(zip((variant.id for variant in setup.treatments), guarded, strict=True))
    results[control] = guardrails_of_control(setup, next(each for each in data if each.variant_id == control))
    described = [describe(setup, each, results[each.variant_id], out.get(each.variant_id)) for each in data]
    if not setup.is_bandit:
        return described
    shares, corrected = allocate(setup, data), inverse_propensity_means(data)
    best = probability_best(setup, data) or {}
    return [
        replace(
            each,
            inverse_propensity_mean=corrected[each.variant_id],
            probability_best=best.get(each.variant_id),
            next_allocation=shares[each.variant_id],
        )
        for each in described
    ]


def _assumptions(setup: AnalysisSetup, compared: Sequence[Compared]) -> list[str]:
    caps = []
    if setup.metric.relative:
        caps.append((setup.metric.name, compared[0].sample.cap))
    caps += [(each.metric.name, each.metric.cap) for each in setup.guardrails if each.metric.relative]
    found = wording.assumptions(setup, caps)
    prior = next((each.posterior.prior for each in compared if each.posterior), None)
    words = wording.prior_words(setup, prior)
    return [*found, words] if words else found


def _warnings(setup: AnalysisSetup, comparisons: Sequence[Comparison], compared: Sequence[Compared]) -> list[str]:
    found = []
    names = {variant.id: variant.name for variant in setup.variants}
    for each, raw in zip(comparisons, compared, strict=True):
        name = names[each.variant_id]
        low, high = each.interval or (None, None)
        if setup.method is Method.SEQUENTIAL and low is not None and high is not None:
            if low > high:
                found.append(
                    f"The effect of {name} changed during the experiment: early and late {setup.units} disagree."
                )
            elif each.expected is not None and not low <= each.expected <= high:
                found.append(f"The mean of {name} left its interval: its effect may have changed since the start.")
        if setup.method is Method.FREQUENTIST and _disagree(each, raw, setup.significance_level):
            found.append(f"The t test and the bootstrap-t interval of {name} disagree, so it does not count.")
    return found


def _disagree(each: Comparison, raw: Compared, alpha: float) -> bool:
    return each.p_value is not None and each.p_value <= alpha and not (raw.better or raw.worse)


def _library() -> str:
    import numpy as np
    import scipy

    return f"numpy {np.__version__}, scipy {scipy.__version__}"
