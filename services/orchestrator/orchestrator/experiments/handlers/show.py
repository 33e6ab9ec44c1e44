"""Convert experiments and rounds to the schemas of the API."""

from dataclasses import asdict

from orchestrator.experiments.domain.metrics import direction_of
from orchestrator.experiments.domain.next_step import total_clusters
from orchestrator.experiments.domain.records import Counts, Experiment, Round, Variant
from orchestrator.experiments.domain.words import Design
from orchestrator.experiments.ports.schemas import (
    ConclusionOut,
    ExperimentConfig,
    ExperimentOut,
    ExperimentProgress,
    GuardrailMetric,
    RoundOut,
    StopOut,
    VariantOut,
)


def shown(experiment: Experiment, counts: Counts) -> ExperimentOut:
    setup, stop, conclusion = experiment.setup, experiment.stop, experiment.conclusion
    return ExperimentOut(
        experiment_id=experiment.id,
        name=experiment.name,
        hypothesis=experiment.hypothesis,
        notes=experiment.notes,
        type=experiment.type,
        status=experiment.status,
        status_reason=experiment.status_reason,
        primary_metric=experiment.primary_metric,
        direction=direction_of(experiment.primary_metric).value,
        guardrail_metrics=[
            GuardrailMetric(
                metric=each.metric, margin=each.margin, direction=each.direction.value, relative=each.relative
            )
            for each in experiment.guardrails
        ],
        config=ExperimentConfig(**asdict(experiment.config), seed=experiment.seed),
        variants=[_variant(each) for each in experiment.variants],
        sources=setup["sources"],
        evaluators=setup["evaluators"],
        judge=setup["judge"],
        panel=setup["panel"],
        calls=setup["calls"],
        progress=progress(experiment, counts),
        stopped=None if stop is None else StopOut(rule=stop.rule, sentence=stop.sentence, at=stop.at),
        conclusion=None if conclusion is None else ConclusionOut.model_validate(conclusion),
        version=experiment.version,
        created_at=experiment.created_at,
        created_by=experiment.created_by,
        updated_at=experiment.updated_at,
        started_at=experiment.started_at,
        concluded_at=experiment.concluded_at,
    )


def progress(experiment: Experiment, counts: Counts) -> ExperimentProgress:
    planned_calls = _planned_calls(experiment)
    ended = experiment.stop is not None or experiment.concluded_at is not None
    saved = None
    if ended and planned_calls and not experiment.outside:
        saved = max(0.0, round(1 - counts.values / planned_calls, 4))
    return ExperimentProgress(
        planned=experiment.planned,
        done=counts.clusters_done,
        rounds=counts.rounds,
        looks=counts.looks,
        cases=experiment.case_count,
        clusters=experiment.cluster_count,
        cost_usd=experiment.cost_usd,
        calls=counts.values,
        planned_calls=planned_calls,
        saved_share=saved,
    )


def shown_round(round_: Round) -> RoundOut:
    return RoundOut(
        round_id=round_.id,
        number=round_.number,
        attempt=round_.attempt,
        status=round_.status,
        variant_ids=list(round_.variant_ids),
        cases=len(round_.positions),
        run_id=round_.run_id,
        run_status=round_.run_status,
        run_outcome=round_.run_outcome,
        items=round_.items,
        items_done=round_.items_done,
        reason=round_.reason,
        created_at=round_.created_at,
        ended_at=round_.ended_at,
    )


def _planned_calls(experiment: Experiment) -> int | None:
    """Return the number of answers that the planned sample needs from the variants; calls of judges are not counted. It
    is an estimate if clusters have several cases, because clusters differ in size. Return `None` if no sample is
    planned, if there are no clusters, or if the experiment is run outside llmbench."""
    if experiment.planned is None or experiment.outside or not experiment.cluster_count:
        return None
    answers = len(experiment.variants) if experiment.config.design is Design.PAIRED else 1
    return round(total_clusters(experiment) * answers * experiment.case_count / experiment.cluster_count)


def _variant(variant: Variant) -> VariantOut:
    return VariantOut(
        variant_id=variant.id,
        name=variant.name,
        is_control=variant.is_control,
        traffic_allocation=variant.traffic_allocation,
        config=dict(variant.config),
        sample_count=variant.sample_count,
        metric_sum=variant.metric_sum,
        metric_sum_squares=variant.metric_sum_squares,
        missing_count=variant.missing_count,
        out_reason=variant.out_reason,
        out_at=variant.out_at,
        created_at=variant.created_at,
    )
