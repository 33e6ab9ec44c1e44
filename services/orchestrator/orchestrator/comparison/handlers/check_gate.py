"""Check a gate on its baseline alone: compare the baseline with itself many times, and count the false alarms."""

import asyncio
from collections.abc import Sequence

from llmbench.errors import FieldError, Problem
from llmbench.thresholds import tidy
from orchestrator.comparison.domain.clusters import ClusterSums
from orchestrator.comparison.domain.gate_check import Basis, GateCheck, check_gate
from orchestrator.comparison.domain.planning import LEAST_POWER, WORST_VARIANCE
from orchestrator.comparison.handlers.comparable import require_key
from orchestrator.comparison.handlers.gate_metric import GateMetric, find_metric, no_share, not_measured, require_over
from orchestrator.comparison.handlers.gate_words import checked_words
from orchestrator.comparison.handlers.plan_gate import PILOT_CLUSTERS, plan_gate
from orchestrator.comparison.handlers.suite_metric import metric_in
from orchestrator.comparison.ports.comparison import Column, ComparisonReader
from orchestrator.comparison.ports.gates import GateCheckOut, GateRequest
from orchestrator.comparison.ports.pairs import OwnValues

_MOST_CLUSTERS_CHECKED = 2_000


async def check(
    reader: ComparisonReader,
    columns: Sequence[Column],
    choice: GateRequest,
    *,
    cluster_by: str | None,
    references: int = 1,
) -> tuple[GateMetric, list[GateCheckOut]]:
    """Compare each column (a target of a run) with itself many times. Return the gate's metric and, per column, how
    often the gate gave the verdict *fine* and how often it gave a false alarm.

    `references` is the number of runs with which a later run will be compared. It is 2 if the baseline has an anchor
    that is another run, else 1.

    Raises a `Problem`. Status 409: a run is active. Status 422: the gate cannot be checked, for example because its
    metric is unknown or nothing can be paired.
    """
    require_over(columns)
    named = await find_metric(reader, columns, choice)
    checked = []
    for column in columns:
        values = await reader.own_values(
            column,
            metric=metric_in([column], named, baseline=0),
            cluster_by=cluster_by,
            most_clusters=_MOST_CLUSTERS_CHECKED,
        )
        require_key(cluster_by, [values.keyed])
        if not values.measured:
            raise not_measured(named, column)
        if named.relative and not values.mean:
            raise no_share(named, column)
        pairs = len(columns) * references
        checked.append(await asyncio.to_thread(_checked, column, values, named, choice, pairs))
    return named, checked


def _checked(column: Column, values: OwnValues, named: GateMetric, choice: GateRequest, pairs: int) -> GateCheckOut:
    sample = values.sample
    if named.relative and values.mean:
        sample = [[[value / values.mean for value in epochs] for epochs in case] for case in sample]
    try:
        result = check_gate(sample, margin=choice.margin, bounds=named.bounds, weights=values.weights)
    except ValueError:
        message = (
            f"'{column.run_name}' has one case with one answer: there is nothing to compare it with. Ask more cases, "
            "or each several times (`epochs`)."
        )
        raise Problem(422, "Nothing to compare", message, errors=[FieldError("run_id", message)]) from None
    plan = plan_gate(values.clusters, _pilot_of(result, values), named, choice, pairs)
    gate_check_out = GateCheckOut(
        target_id=column.target_id,
        label=column.label,
        basis=result.basis,
        checks=result.checks,
        fine=result.fine,
        undecided=result.undecided,
        worse=result.worse,
        lower_than_baseline=result.lower_than_baseline,
        clusters=values.clusters,
        cases=values.cases,
        coverage=tidy(values.covered / values.cases),
        probability_fine=plan.probability,
        holds=plan.probability >= LEAST_POWER,
        clusters_needed=plan.clusters,
        margin_needed=plan.margin,
        sentence="",
    )
    return gate_check_out.model_copy(update={"sentence": checked_words(gate_check_out, named.relative, choice.margin)})


def _pilot_of(gate_check: GateCheck, values: OwnValues) -> float:
    """Return the expected variance of the differences between the baseline and a later run of an unchanged model with
    the same epochs.

    If the check compared one half of each case's epochs with the other half, scale its variance to all epochs. If the
    baseline has one epoch, the check compared different cases. Its variance is no estimate then, nor if the sample is
    too small. Return `WORST_VARIANCE` in these cases, times the design effect if the cases have weights.
    """
    if gate_check.basis is not Basis.EPOCHS or not gate_check.variance or gate_check.clusters < PILOT_CLUSTERS:
        if values.weights is None:
            return WORST_VARIANCE
        # Small tasks with a large weight make a suite's score vary more than its number of clusters suggests.
        return WORST_VARIANCE * ClusterSums.tally((0, sum(weights), 1) for weights in values.weights).design_effect
    epochs = max(len(case) for cluster in values.sample for case in cluster)
    return gate_check.variance * (epochs // 2) / epochs
