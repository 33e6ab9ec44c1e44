"""Read the values of an experiment's metrics: its primary metric and its guardrails.

`values_of_round` reads the value of each case and variant from the items of the round's run. `read_values` adds up the
stored values of all rounds, per variant and cluster.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from sqlalchemy import any_, bindparam, literal, select, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.types import Integer, Uuid

from llmbench.db import tables as t
from orchestrator.comparison.adapters import paired_cells
from orchestrator.comparison.adapters.evaluator_pairs import evaluators
from orchestrator.comparison.adapters.pairing import METRIC_SQL
from orchestrator.comparison.ports.pairs import MetricKind
from orchestrator.experiments.domain.data import CaseValue, ClusterValues, Values
from orchestrator.experiments.domain.metrics import COST, PLAIN
from orchestrator.experiments.domain.records import Experiment, Round

# The database counts costs in millionths of a dollar.
_USD: Final = 1e-6

_OF_VARIANTS: Final = text(
    """
    SELECT variant_id, cluster, min(place) AS place, coalesce(sum(value), 0) AS total, count(value) AS weight,
           count(*) - count(value) AS missing, min(propensity) AS propensity
    FROM observation WHERE experiment_id = :experiment_id GROUP BY variant_id, cluster
    """
).bindparams(bindparam("experiment_id", type_=Uuid))
_OF_GUARDRAILS: Final = text(
    """
    SELECT variant_id, cluster, metric, sum(CAST(given.value AS float8)) AS total, count(*) AS weight
    FROM observation CROSS JOIN LATERAL jsonb_each_text(guardrails) AS given (metric, value)
    WHERE experiment_id = :experiment_id AND given.value IS NOT NULL GROUP BY variant_id, cluster, metric
    """
).bindparams(bindparam("experiment_id", type_=Uuid))
_ASSIGNED: Final = text(
    """
    SELECT variant_id, count(*) AS units FROM (
        SELECT variant_id, unit_id FROM assignment WHERE experiment_id = :experiment_id
        UNION SELECT variant_id, unit_id FROM observation WHERE experiment_id = :experiment_id
    ) AS unit GROUP BY variant_id
    """
).bindparams(bindparam("experiment_id", type_=Uuid))


async def values_of_round(connection: AsyncConnection, experiment: Experiment, round_: Round) -> list[CaseValue]:
    """Return the values of the metrics for each case and variant of the round. A value is `None` if the case is not in
    the run, or was not measured."""
    names = {variant.name: variant.id for variant in experiment.variants}
    targets = {
        row.id: names[row.label]
        for row in await connection.execute(select(t.target).where(t.target.c.run_id == round_.run_id))
        if row.label in names
    }
    metrics = [experiment.primary_metric, *(guardrail.metric for guardrail in experiment.guardrails)]
    primary = {} if round_.run_id is None else await evaluators(connection, round_.run_id)
    slots = {name: revision.id for name, revision in primary.items()}
    found = {metric: await _values(connection, metric, round_, targets, slots) for metric in metrics}
    items = {
        (targets[row.target_id], row.task_id): row.id
        for row in await connection.execute(
            select(t.item.c.id, t.item.c.target_id, t.item.c.task_id).where(
                t.item.c.run_id == round_.run_id, t.item.c.target_id.in_(list(targets)), t.item.c.epoch == 1
            )
        )
    }
    cases = await connection.execute(
        select(t.experiment_case)
        .where(
            t.experiment_case.c.experiment_id == experiment.id,
            t.experiment_case.c.position == _any(round_.positions),
        )
        .order_by(t.experiment_case.c.position)
    )
    shares = round_.allocation or {}
    return [
        CaseValue(
            variant_id=variant_id,
            position=case.position,
            name=case.name,
            cluster=case.cluster,
            value=found[experiment.primary_metric].get((variant_id, case.name)),
            guardrails={
                guardrail.metric: found[guardrail.metric].get((variant_id, case.name))
                for guardrail in experiment.guardrails
            },
            item_id=items.get((variant_id, case.name)),
            propensity=shares.get(str(variant_id)),
        )
        for case in cases.all()
        for variant_id in round_.variant_ids
    ]


def _any(positions: Sequence[int]) -> Any:
    return any_(literal(list(positions), ARRAY(Integer)))


async def _values(
    connection: AsyncConnection,
    metric: str,
    round_: Round,
    targets: Mapping[UUID, UUID],
    slots: Mapping[str, UUID],
) -> dict[tuple[UUID, str], float]:
    """Return the values of a metric, by the variant's id and the case's name. A case is left out unless every epoch of
    it has a value. The result is empty if the metric is the score of an evaluator that the run lacks.

    `targets` maps each target of the round's run to its variant. `slots` maps the name of each evaluator in the run to
    its revision.
    """
    kind = MetricKind(metric) if metric in PLAIN else MetricKind.EVALUATOR
    if kind is MetricKind.EVALUATOR and metric not in slots:
        return {}
    cells = paired_cells.cells(METRIC_SQL[kind], by_key=False)
    query = f"WITH {cells} SELECT place, task_id, value FROM cell WHERE known = items"  # noqa: S608  # made of constants
    order = list(targets)
    given: dict[str, Any] = {
        "runs": [round_.run_id] * len(order),
        "targets": order,
        "scorings": [None] * len(order),
        "baselines": [0] * len(order),
    }
    if kind is MetricKind.EVALUATOR:
        given["revision"] = slots[metric]
    rows = await connection.execute(text(query), given)
    scale = _USD if metric == COST else 1.0
    return {(targets[order[row.place]], row.task_id): float(row.value) * scale for row in rows}


async def read_values(connection: AsyncConnection, experiment_id: UUID) -> Values:
    """Return the sums of all values of the experiment, per variant and cluster."""
    given = {"experiment_id": experiment_id}
    guardrails: dict[tuple[UUID, str], dict[str, tuple[float, int]]] = {}
    for row in await connection.execute(_OF_GUARDRAILS, given):
        guardrails.setdefault((row.variant_id, row.cluster), {})[row.metric] = (row.total, row.weight)
    clusters: dict[UUID, dict[str, ClusterValues]] = {}
    places: dict[str, int] = {}
    for row in await connection.execute(_OF_VARIANTS, given):
        places[row.cluster] = min(row.place, places.get(row.cluster, row.place))
        clusters.setdefault(row.variant_id, {})[row.cluster] = ClusterValues(
            cluster=row.cluster,
            total=row.total,
            weight=row.weight,
            missing=row.missing,
            guardrails=guardrails.get((row.variant_id, row.cluster), {}),
            propensity=row.propensity,
        )
    assigned = {row.variant_id: row.units for row in await connection.execute(_ASSIGNED, given)}
    order = tuple(sorted(places, key=lambda cluster: (places[cluster], cluster)))
    return Values(clusters, order, assigned)
