"""Convert the analysis of an experiment to the schema in which it is stored and returned."""

from dataclasses import asdict
from uuid import UUID

from orchestrator.experiments.domain.analysis import types as stats
from orchestrator.experiments.domain.metrics import direction_of
from orchestrator.experiments.domain.records import Experiment
from orchestrator.experiments.ports.result_schemas import (
    AnalysisOut,
    ComparisonOut,
    GuardrailResult,
    LookOut,
    LookResults,
    PrimaryResult,
    ResultsOut,
    SampleRatioOut,
    VariantMetrics,
    VariantResult,
)


def results_of(experiment: Experiment, analysis: stats.Analysis, *, done: int, planned: int) -> LookResults:
    """Return the part of a look (an analysis) that is stored. `done` counts the clusters used, `planned` the planned
    ones."""
    names = {str(variant.id): variant.name for variant in experiment.variants}
    best = next((each for each in analysis.comparisons if each.variant_id == analysis.best), None)
    ratio = analysis.sample_ratio
    return LookResults(
        done=done,
        planned=planned,
        variants=[_variant(experiment, each) for each in analysis.variants],
        analysis=AnalysisOut(
            winner=None if analysis.winner is None else UUID(analysis.winner),
            best=UUID(analysis.best),
            p_value=best.p_value if best else None,
            probability_of_improvement=best.probability_of_improvement if best else None,
            effect_size=best.effect_size if best else None,
            is_significant=analysis.is_significant,
            recommendation=analysis.recommendation,
            sentence=analysis.sentence,
            state=analysis.state,
            done=analysis.done,
            sample_left=analysis.sample_left,
            comparisons=[
                ComparisonOut(**{**asdict(each), "state": each.state.value, "name": names[each.variant_id]})
                for each in analysis.comparisons
            ],
            sample_ratio=SampleRatioOut(chi_square=ratio.chi_square, p_value=ratio.p_value, mismatch=ratio.mismatch),
            method=analysis.method,
            stopping_rule=analysis.stopping_rule,
            assumptions=list(analysis.assumptions),
            library=analysis.library,
            warnings=list(analysis.warnings),
        ),
    )


def shown_results(experiment: Experiment, look: LookOut | None, *, done: int) -> ResultsOut:
    """Return the results of the last look (analysis). Before the first look, the variants have no figures."""
    return ResultsOut(
        experiment_id=experiment.id,
        status=experiment.status,
        primary_metric=experiment.primary_metric,
        direction=direction_of(experiment.primary_metric).value,
        look=None if look is None else look.number,
        made_at=None if look is None else look.made_at,
        planned=experiment.planned,
        done=done,
        variants=[] if look is None else look.variants,
        analysis=None if look is None else look.analysis,
    )


def _variant(experiment: Experiment, analysis: stats.VariantAnalysis) -> VariantResult:
    variant = next(each for each in experiment.variants if str(each.id) == analysis.variant_id)
    return VariantResult(
        variant_id=variant.id,
        name=variant.name,
        is_control=variant.is_control,
        is_out=analysis.is_out or not variant.live,
        out_reason=analysis.out_reason or variant.out_reason,
        sample_size=analysis.sample_size,
        assigned=analysis.assigned,
        answered=analysis.answered,
        missing=analysis.missing,
        coverage=analysis.coverage,
        probability_best=analysis.probability_best,
        next_allocation=analysis.next_allocation,
        metrics=VariantMetrics(
            primary=PrimaryResult(
                mean=analysis.mean,
                std=analysis.std,
                confidence_interval=analysis.interval,
                confidence_level=analysis.level,
                method=analysis.interval_method,
                inverse_propensity_mean=analysis.inverse_propensity_mean,
            ),
            guardrails=[_guardrail(each, is_control=variant.is_control) for each in analysis.guardrails],
        ),
        reason=analysis.reason,
    )


def _guardrail(result: stats.GuardrailResult, *, is_control: bool) -> GuardrailResult:
    passed = None if is_control else result.passed
    return GuardrailResult(**{**asdict(result), "direction": result.direction.value, "passed": passed})
