"""Gates: one metric of columns against their baseline, and the baseline against itself."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from llmbench.errors import FieldError, Problem
from llmbench.thresholds import tidy
from orchestrator.domain.comparison.clusters import ClusterSums
from orchestrator.domain.comparison.coverage import GatePair
from orchestrator.domain.comparison.gate import GatePairResult, GateState, decide_gate
from orchestrator.domain.comparison.gate_check import Basis, GateCheck, check_gate
from orchestrator.domain.comparison.interval import SCORES
from orchestrator.domain.comparison.planning import (
    LEAST_POWER,
    WORST_VARIANCE,
    needed_clusters,
    needed_margin,
    probability_fine,
)
from orchestrator.handlers.comparable import going_on, judges_differ
from orchestrator.handlers.compare import require_key, shown
from orchestrator.handlers.gate_words import checked_words, pair_words, weak_words
from orchestrator.ports.comparison import Column, ComparisonReader
from orchestrator.ports.figure_schemas import Interval
from orchestrator.ports.gates import GateCheckOut, GateChoice, GateOut, GatePairOut
from orchestrator.ports.pairs import Metric, MetricKind, OwnValues, PairedColumn

# A spread seen in fewer clusters says little of that of the next run.
_PILOT_CLUSTERS = 10
_MOST_CLUSTERS_CHECKED = 2_000
_TITLES = {
    MetricKind.SCORE: "mean score",
    MetricKind.PASS_RATE: "pass rate",
    MetricKind.COST: "cost",
    MetricKind.LATENCY: "latency",
}
# The database sums costs in millionths of a dollar.
_UNITS = {MetricKind.COST: 1e-6}


@dataclass(frozen=True)
class GateMetric:
    """A metric by the name that it was asked for. Of a `relative` one less is better, and a difference is a share of
    the baseline."""

    name: str
    metric: Metric

    @property
    def kind(self) -> MetricKind:
        return self.metric.kind

    @property
    def title(self) -> str:
        return _TITLES.get(self.kind, f"score of '{self.name}'")

    @property
    def relative(self) -> bool:
        return self.kind in (MetricKind.COST, MetricKind.LATENCY)

    @property
    def bounds(self) -> tuple[float, float] | None:
        return None if self.relative else SCORES

    def scaled(self, value: float | None) -> float | None:
        return None if value is None else tidy(value * _UNITS.get(self.kind, 1.0))


@dataclass(frozen=True)
class _Gated:
    """One column against its baseline. In `pair` more is better, also of cost and latency."""

    column: Column
    paired: PairedColumn
    pair: GatePair


async def gate(
    reader: ComparisonReader,
    sets: Sequence[Sequence[Column]],
    choice: GateChoice,
    *,
    baseline: int,
    cluster_by: str | None,
) -> GateOut:
    """Decide over every column but the baselines. Raises a `Problem`: 409 while a run goes on; 422 where there is
    nothing to decide by, and where an unchanged model is fine too seldom for an undecided gate to mean anything."""
    for columns in sets:
        _require_over(columns)
    named = await _named(reader, [columns[baseline] for columns in sets], choice)
    gated = [
        each
        for columns in sets
        for each in await _gated(reader, columns, named, baseline=baseline, cluster_by=cluster_by)
    ]
    return await asyncio.to_thread(_decided, gated, named, choice)


async def check(
    reader: ComparisonReader, columns: Sequence[Column], choice: GateChoice, *, cluster_by: str | None
) -> tuple[GateMetric, list[GateCheckOut]]:
    """Try a gate on each column by itself: how often an unchanged model is fine, and how often it is a false alarm.
    Raises `Problem` as `gate` does."""
    _require_over(columns)
    named = await _named(reader, columns, choice)
    checked = []
    for column in columns:
        values = await reader.own_values(
            column, metric=named.metric, cluster_by=cluster_by, most_clusters=_MOST_CLUSTERS_CHECKED
        )
        if cluster_by is not None:
            require_key(cluster_by, [values.keyed])
        if not values.measured:
            raise _nobody_measured(named, column)
        if named.relative and not values.mean:
            raise _no_share(named, column)
        checked.append(await asyncio.to_thread(_checked, column, values, named, choice, len(columns)))
    return named, checked


def _require_over(columns: Sequence[Column]) -> None:
    going = going_on(columns)
    if going is not None:
        raise Problem(409, "A run goes on", f"{going} Wait for it with `llmbench watch`, then ask again.")


async def _named(reader: ComparisonReader, baselines: Sequence[Column], choice: GateChoice) -> GateMetric:
    """Raises a 422 `Problem` for a metric that a baseline does not have, and for a margin that forgives everything."""
    name = choice.metric.strip()
    plain = name.lower().replace(" ", "_").replace("-", "_")
    if plain in {kind.value for kind in _TITLES}:
        named = GateMetric(plain, Metric(MetricKind(plain)))
    else:
        name = name.removeprefix("evaluator:").strip()
        found = [await reader.evaluators(column) for column in baselines]
        if not all(name in evaluators for evaluators in found):
            raise _unknown(name, list(dict.fromkeys(known for evaluators in found for known in evaluators)))
        revisions = {evaluators[name] for evaluators in found}
        named = GateMetric(name, Metric(MetricKind.EVALUATOR, revisions.pop()))
    if not named.relative and choice.margin >= 1:
        raise _invalid("margin", f"a margin of {choice.margin:g} forgives everything: scores and rates are from 0 to 1")
    return named


async def _gated(
    reader: ComparisonReader, columns: Sequence[Column], named: GateMetric, *, baseline: int, cluster_by: str | None
) -> list[_Gated]:
    for column in columns:
        if named.kind in (MetricKind.SCORE, MetricKind.PASS_RATE):
            unlike = judges_differ(column, columns[baseline])
        elif named.kind is MetricKind.EVALUATOR:
            unlike = await _other_revision(reader, column, named)
        else:
            unlike = None
        if unlike:
            raise _invalid("metric", unlike)
    _, paired = await reader.pairs(columns, baseline=baseline, metric=named.metric, cluster_by=cluster_by)
    if cluster_by is not None:
        require_key(cluster_by, (one.keyed for one in paired.values()))
    for at, one in paired.items():
        _require_measured(columns[at], columns[baseline], one, named)
    return [
        _Gated(columns[at], one, replace(one.pair, sums=one.pair.sums.mirrored if named.relative else one.pair.sums))
        for at, one in paired.items()
    ]


async def _other_revision(reader: ComparisonReader, column: Column, named: GateMetric) -> str | None:
    if named.metric.revision in (await reader.evaluators(column)).values():
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
        raise Problem(422, "Nothing to compare", message, errors=[FieldError("run_ids", message)])
    if not paired.baseline_measured:
        raise _nobody_measured(named, baseline)
    if not paired.measured and paired.completed:
        raise _nobody_measured(named, column)
    if named.relative and paired.compared and not paired.mean_baseline:
        raise _no_share(named, baseline)


def _decided(gated: Sequence[_Gated], named: GateMetric, choice: GateChoice) -> GateOut:
    result = decide_gate([one.pair for one in gated], margin=choice.margin, bounds=named.bounds)
    pairs = [_pair(one, of_pair, named, choice, len(gated)) for one, of_pair in zip(gated, result.pairs, strict=True)]
    weak = [
        one
        for one in pairs
        if one.state is GateState.UNDECIDED
        and not one.lower_than_baseline
        and (one.probability_fine or 0) < LEAST_POWER
    ]
    if result.state is GateState.UNDECIDED and not result.lower_than_baseline and weak and not choice.force:
        message = weak_words(weak[0], named.relative, choice.margin)
        raise Problem(422, "A gate that cannot decide", message, errors=[FieldError("gate.margin", message)])
    return GateOut(
        metric=named.name,
        title=named.title,
        relative=named.relative,
        lower_is_better=named.relative,
        margin=choice.margin,
        state=result.state,
        lower_than_baseline=result.lower_than_baseline,
        pairs=pairs,
    )


def _pair(one: _Gated, result: GatePairResult, named: GateMetric, choice: GateChoice, pairs: int) -> GatePairOut:
    paired, sums = one.paired, one.pair.sums
    plan = _plan(sums.clusters, _pilot(sums), named, choice, pairs)
    weak = result.state is GateState.UNDECIDED and plan.probability < LEAST_POWER
    interval = shown(result.interval)
    if interval and named.relative:
        interval = Interval(low=tidy(-interval.high), high=tidy(-interval.low))
    found = GatePairOut(
        run_id=one.column.run_id,
        target_id=one.column.target_id,
        label=one.column.label,
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
        coverage=one.pair.coverage,
        probability_fine=plan.probability if sums.clusters else None,
        clusters_needed=plan.clusters if weak else result.clusters_needed,
        margin_needed=plan.margin if weak else result.margin_needed,
    )
    return found.model_copy(update={"sentence": pair_words(found, named.title, named.relative, choice.margin)})


@dataclass(frozen=True)
class _Plan:
    """How often the gate finds an unchanged model fine, and what would make that 80 of 100."""

    probability: float
    clusters: int | None
    margin: float | None


def _plan(clusters: int, variance: float, named: GateMetric, choice: GateChoice, pairs: int) -> _Plan:
    bounded = not named.relative
    found = probability_fine(variance=variance, clusters=clusters, margin=choice.margin, pairs=pairs, bounded=bounded)
    if found >= LEAST_POWER:
        return _Plan(found, None, None)
    return _Plan(
        found,
        needed_clusters(margin=choice.margin, variance=variance, pairs=pairs, bounded=bounded),
        needed_margin(clusters=clusters, variance=variance, pairs=pairs, bounded=bounded),
    )


def _pilot(sums: ClusterSums) -> float:
    """The spread of the differences, where there are enough of them to tell it."""
    variance = sums.variance
    return variance if variance and sums.spread and sums.clusters >= _PILOT_CLUSTERS else WORST_VARIANCE


def _checked(column: Column, values: OwnValues, named: GateMetric, choice: GateChoice, pairs: int) -> GateCheckOut:
    sample = values.sample
    if named.relative and values.mean:
        sample = [[[value / values.mean for value in epochs] for epochs in case] for case in sample]
    try:
        found = check_gate(sample, margin=choice.margin, bounds=named.bounds)
    except ValueError:
        message = (
            f"'{column.run_name}' has one case with one answer: there is nothing to compare it with. Ask more cases, "
            "or each several times (`epochs`)."
        )
        raise Problem(422, "Nothing to compare", message, errors=[FieldError("run_id", message)]) from None
    plan = _plan(values.clusters, _pilot_of(found, values), named, choice, pairs)
    made = GateCheckOut(
        target_id=column.target_id,
        label=column.label,
        basis=found.basis,
        checks=found.checks,
        fine=found.fine,
        undecided=found.undecided,
        worse=found.worse,
        lower_than_baseline=found.lower_than_baseline,
        clusters=values.clusters,
        cases=values.cases,
        coverage=tidy(values.covered / values.cases),
        probability_fine=plan.probability,
        holds=plan.probability >= LEAST_POWER,
        clusters_needed=plan.clusters,
        margin_needed=plan.margin,
        sentence="",
    )
    return made.model_copy(update={"sentence": checked_words(made, named.relative, choice.margin)})


def _pilot_of(found: GateCheck, values: OwnValues) -> float:
    """The spread of one run to the next with as many epochs, of which a check compares one half with the other. Two
    cases differ by more than two answers to one: they are no pilot."""
    if found.basis is not Basis.EPOCHS or not found.variance or found.clusters < _PILOT_CLUSTERS:
        return WORST_VARIANCE
    epochs = max(len(case) for cluster in values.sample for case in cluster)
    return found.variance * (epochs // 2) / epochs


def _unknown(name: str, evaluators: Sequence[str]) -> Problem:
    known = ", ".join([*(kind.value for kind in _TITLES), *(f"'{one}'" for one in evaluators[:20])])
    return _invalid("metric", f"the baseline has no evaluator '{name}': there is {known}")


def _nobody_measured(named: GateMetric, column: Column) -> Problem:
    why = {
        MetricKind.PASS_RATE: "none of its evaluators says whether an answer passed: give one a pass_threshold",
        MetricKind.COST: "no price is known of its answers, or all came from the cache: set prices at the provider",
        MetricKind.LATENCY: "none of its answers was timed: they came from the cache, or were given",
        MetricKind.SCORE: "no answer has an overall score: give it an evaluator with a weight",
    }.get(named.kind, f"'{named.name}' scored none of its answers")
    return _invalid("metric", f"'{column.run_name}' has no {named.title}: {why}")


def _no_share(named: GateMetric, baseline: Column) -> Problem:
    return _invalid("metric", f"the {named.title} of '{baseline.run_name}' is 0: there is nothing to be a share of")


def _invalid(field: str, message: str) -> Problem:
    return Problem(422, "The gate is refused", message, errors=[FieldError(f"gate.{field}", message)])
