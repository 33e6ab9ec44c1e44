"""Decide a gate: whether a metric of a column (a target of a run) is worse than the baseline's by the margin or
more."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from llmbench.errors import FieldError, Problem
from llmbench.thresholds import tidy
from orchestrator.comparison.domain.clusters import ClusterSums
from orchestrator.comparison.domain.coverage import GatePair
from orchestrator.comparison.domain.gate import GatePairResult, GateState, decide_gate
from orchestrator.comparison.domain.planning import LEAST_POWER, WORST_VARIANCE
from orchestrator.comparison.handlers.comparable import require_key
from orchestrator.comparison.handlers.gate_metric import (
    GateMetric,
    find_metric,
    no_share,
    not_measured,
    refusal,
    require_over,
)
from orchestrator.comparison.handlers.gate_words import least_covered, pair_words, weak_words
from orchestrator.comparison.handlers.plan_gate import PILOT_CLUSTERS, plan_gate
from orchestrator.comparison.handlers.shown_scores import shown
from orchestrator.comparison.handlers.suite_metric import (
    break_in,
    metric_in,
    require_cases,
    skipped_words,
    split_by_break,
)
from orchestrator.comparison.ports.comparison import Column, ComparisonReader
from orchestrator.comparison.ports.gates import GateOut, GatePairOut, GateRequest
from orchestrator.comparison.ports.pairs import Metric, MetricKind, PairedColumn
from orchestrator.results.ports.figure_schemas import Interval


@dataclass(frozen=True)
class _Gated:
    """One column (a target of a run) and its baseline, compared by a gate.

    In `pair`, the differences of cost and latency have the opposite sign, so that more is always better. `suite_words`
    are sentences on tasks of a suite that are left out, and on differences between two versions of a suite.
    """

    column: Column
    paired: PairedColumn
    pair: GatePair
    metric: Metric
    suite_words: str = ""


async def gate(
    reader: ComparisonReader,
    sets: Sequence[Sequence[Column]],
    choice: GateRequest,
    *,
    baseline: int,
    cluster_by: str | None,
    family: int | None = None,
) -> GateOut:
    """Decide the gate. A column is one target of a run. The columns of a set are compared with the set's baseline, its
    column at the index `baseline`.

    A pair is a column and its baseline. If several gates are decided together, `family` is the number of pairs of all
    these gates.

    Raises a `Problem`. Status 409: the run of a column is active. Status 422: the gate cannot be used, for example
    because its metric is unknown or the columns share no case.

    Status 422 is also raised if the gate is undecided and unreliable: it would give an unchanged model the verdict
    *fine* in fewer than 80 of 100 comparisons. If `choice.force` is true, or a column is certainly worse than its
    baseline, an unreliable gate is decided without this error.
    """
    for columns in sets:
        require_over(columns)
    named = await find_metric(reader, [columns[baseline] for columns in sets], choice)
    gated = [
        gated_column
        for columns in sets
        for gated_column in await _gated(reader, columns, named, baseline=baseline, cluster_by=cluster_by)
    ]
    return await asyncio.to_thread(_decided, gated, named, choice, family)


async def _gated(
    reader: ComparisonReader, columns: Sequence[Column], named: GateMetric, *, baseline: int, cluster_by: str | None
) -> list[_Gated]:
    metric = metric_in(columns, named, baseline=baseline)
    for column in columns if named.kind is MetricKind.EVALUATOR else ():
        unlike = await _other_revision(reader, column, named)
        if unlike:
            raise refusal("metric", unlike)
    _, paired = await reader.pairs(columns, baseline=baseline, metric=metric, cluster_by=cluster_by)
    require_key(cluster_by, (pair.keyed for pair in paired.values()))
    for at, pair in paired.items():
        _require_measured(columns[at], columns[baseline], pair, named)
        require_cases(columns, pair, at, metric, baseline=baseline)
    return [
        _Gated(
            columns[at],
            pair,
            replace(pair.pair, sums=pair.pair.sums.mirrored if named.relative else pair.pair.sums),
            metric,
            f"{skipped_words(columns, metric)} {break_in(columns[at], columns[baseline], pair, metric)}".strip(),
        )
        for at, pair in paired.items()
    ]


async def _other_revision(reader: ComparisonReader, column: Column, named: GateMetric) -> str | None:
    if any(evaluator.id == named.metric.revision for evaluator in (await reader.evaluators(column)).values()):
        return None
    return (
        f"'{column.run_name}' was not scored by '{named.name}' as the baseline was: by another judge, with other "
        "parameters, or not at all. Have it scored by the same evaluator (`POST /api/runs/{id}/evaluators`)."
    )


def _require_measured(column: Column, baseline: Column, paired: PairedColumn, named: GateMetric) -> None:
    if not paired.cases_in_both:
        message = (
            f"'{column.run_name}' and '{baseline.run_name}' share no case: a gate compares answers to the same cases. "
            "Name runs over the same collections or dataset versions."
        )
        broken = split_by_break(column, baseline)
        message = f"{broken} {message}" if broken else message
        raise Problem(422, "Nothing to compare", message, errors=[FieldError("run_ids", message)])
    if not paired.baseline_measured:
        raise not_measured(named, baseline)
    if not paired.measured and paired.completed:
        raise not_measured(named, column)
    if named.relative and paired.compared and not paired.mean_baseline:
        raise no_share(named, baseline)


def _decided(gated: Sequence[_Gated], named: GateMetric, choice: GateRequest, family: int | None) -> GateOut:
    result = decide_gate([column.pair for column in gated], margin=choice.margin, bounds=named.bounds, family=family)
    pairs = [
        _pair(column, of_pair, named, choice, len(gated)) for column, of_pair in zip(gated, result.pairs, strict=True)
    ]
    weak = [
        pair
        for pair in pairs
        if pair.state is GateState.UNDECIDED
        and not pair.lower_than_baseline
        and (pair.probability_fine or 0) < LEAST_POWER
    ]
    if result.state is GateState.UNDECIDED and not result.lower_than_baseline and weak and not choice.force:
        message = weak_words(weak[0], named.relative, choice.margin)
        raise Problem(422, "A gate that cannot decide", message, errors=[FieldError("gate.margin", message)])
    return GateOut(
        metric=named.name,
        task=named.task,
        title=named.title,
        relative=named.relative,
        lower_is_better=named.relative,
        margin=choice.margin,
        state=result.state,
        lower_than_baseline=result.lower_than_baseline,
        pairs=pairs,
    )


def _pair(gated: _Gated, result: GatePairResult, named: GateMetric, choice: GateRequest, pairs: int) -> GatePairOut:
    paired, sums = gated.paired, gated.pair.sums
    plan = plan_gate(sums.clusters, _pilot(sums, gated.metric), named, choice, pairs)
    weak = result.state is GateState.UNDECIDED and plan.probability < LEAST_POWER
    interval = shown(result.interval)
    if interval and named.relative:
        interval = Interval(low=tidy(-interval.high), high=tidy(-interval.low))
    pair_out = GatePairOut(
        run_id=gated.column.run_id,
        target_id=gated.column.target_id,
        label=gated.column.label,
        state=result.state,
        lower_than_baseline=result.lower_than_baseline,
        sentence="",
        mean=paired.pair.sums.mean,
        mean_here=named.scaled(paired.mean_here),
        mean_baseline=named.scaled(paired.mean_baseline),
        interval=interval,
        method=result.interval.method if result.interval else None,
        cases=paired.compared,
        clusters=sums.clusters,
        shared_cases=paired.cases_in_both,
        coverage=gated.pair.coverage,
        probability_fine=plan.probability if sums.clusters else None,
        clusters_needed=plan.clusters if weak else result.clusters_needed,
        margin_needed=plan.margin if weak else result.margin_needed,
    )
    sentence = pair_words(pair_out, named.title, named.relative, choice.margin, least=least_covered(paired.tasks))
    return pair_out.model_copy(update={"sentence": f"{sentence} {gated.suite_words}".rstrip()})


def _pilot(sums: ClusterSums, metric: Metric) -> float:
    """Return the variance of a cluster's difference from the baseline.

    If there are too few clusters to estimate it, or if all clusters have the same mean, return `WORST_VARIANCE`. If
    tasks are weighed, return `WORST_VARIANCE` times the design effect instead.
    """
    variance = sums.variance
    if variance and sums.has_spread and sums.clusters >= PILOT_CLUSTERS:
        return variance
    return WORST_VARIANCE if metric.task_weights is None else WORST_VARIANCE * sums.design_effect
