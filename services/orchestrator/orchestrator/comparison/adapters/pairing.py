"""Read from the database how columns differ from their baselines, as sums over paired cases. Also read the values of a
single column. A column is a target of a run."""

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from sqlalchemy import RowMapping, text
from sqlalchemy.ext.asyncio import AsyncConnection

from orchestrator.comparison.adapters import paired_cells
from orchestrator.comparison.adapters.paired_cells import MetricSql
from orchestrator.comparison.domain.clusters import ClusterSums
from orchestrator.comparison.domain.coverage import GatePair
from orchestrator.comparison.handlers.gate_words import least_covered
from orchestrator.comparison.ports.comparison import Column
from orchestrator.comparison.ports.pairs import Metric, MetricKind, OwnValues, PairedColumn, PairedPasses, TaskCoverage

METRIC_SQL: Final[Mapping[MetricKind, MetricSql]] = {
    MetricKind.SCORE: paired_cells.SCORE,
    MetricKind.PASS_RATE: paired_cells.PASS_RATE,
    MetricKind.COST: paired_cells.COST,
    MetricKind.LATENCY: paired_cells.LATENCY,
    MetricKind.EVALUATOR: paired_cells.EVALUATOR,
}
# Added before a sum of fractions is rounded down: three thirds of a case must count as one case.
_NOISE: Final = Decimal("1e-9")


def given(columns: Sequence[Column], baselines: Sequence[int]) -> dict[str, Any]:
    """Return the query parameters that select the columns (targets of runs). `baselines` has one index per column: that
    of its baseline. A column that is itself a baseline has its own index."""
    return {
        "baselines": list(baselines),
        "runs": [column.run_id for column in columns],
        "targets": [column.target_id for column in columns],
        "scorings": [column.judge.scoring if column.judge else None for column in columns],
    }


async def paired(
    connection: AsyncConnection, columns: Sequence[Column], *, baseline: int, metric: Metric, cluster_by: str | None
) -> tuple[int, dict[int, PairedColumn]]:
    """Implement `ComparisonReader.pairs`: pair the cases of each column (a target of a run) with those of the column at
    the index `baseline`. The first value returned is the number of cases that at least one column has."""
    query = paired_cells.pairs(METRIC_SQL[metric.kind], by_key=cluster_by is not None, **_of_tasks(metric))
    parameters = given(columns, [baseline] * len(columns)) | _parameters([metric] * len(columns), cluster_by)
    rows = list((await connection.execute(text(query), _known(query, parameters))).mappings())
    of_columns = [[row for row in rows if row["place"] == at] for at in range(len(columns))]
    of_baseline = of_columns[baseline]
    return rows[0]["all_cases"] if rows else 0, {
        at: _paired(of_column, of_baseline) for at, of_column in enumerate(of_columns) if at != baseline
    }


async def pooled(
    connection: AsyncConnection,
    columns: Sequence[Column],
    *,
    baselines: Sequence[int],
    metrics: Sequence[Metric],
    cluster_by: str | None,
) -> ClusterSums:
    """Implement `ComparisonReader.pooled`: collect the differences of all columns (targets of runs) from their
    baselines, and sum them per cluster."""
    query = paired_cells.pooled(METRIC_SQL[metrics[0].kind], by_key=cluster_by is not None, **_of_tasks(metrics[0]))
    parameters = given(columns, baselines) | _parameters(metrics, cluster_by)
    rows = await connection.execute(text(query), _known(query, parameters))
    return ClusterSums.tally((float(row.total), float(row.weight), row.clusters) for row in rows)


async def own_values(
    connection: AsyncConnection, column: Column, *, metric: Metric, cluster_by: str | None, most_clusters: int
) -> OwnValues:
    """Implement `ComparisonReader.own_values`: read the values of a single column (a target of a run), without a
    baseline. The result has a sample of at most `most_clusters` clusters."""
    query = paired_cells.against_itself(METRIC_SQL[metric.kind], by_key=cluster_by is not None, **_of_tasks(metric))
    parameters = given([column], [0]) | _parameters([metric], cluster_by)
    parameters["most"] = most_clusters
    rows = list((await connection.execute(text(query), _known(query, parameters))).mappings())
    sample: dict[str, list[Sequence[float]]] = {}
    weights: dict[str, list[float]] = {}
    for row in rows:
        if row["epochs"] is not None:
            sample.setdefault(row["cluster"], []).append(row["epochs"])
            weights.setdefault(row["cluster"], []).append(row["share"] or 0.0)
    return OwnValues(
        sample=list(sample.values()),
        clusters=rows[0]["clusters"],
        cases=rows[0]["cases"],
        covered=float(rows[0]["covered"] or 0),
        measured=int(rows[0]["measured"] or 0),
        mean=None if rows[0]["mean"] is None else float(rows[0]["mean"]),
        keyed=bool(rows[0]["keyed"]),
        weights=None if metric.task_weights is None else list(weights.values()),
    )


def _of_tasks(metric: Metric) -> dict[str, bool]:
    return {
        "tasks": metric.tasks is not None and not metric.counts_every_case,
        "weighted": metric.task_weights is not None,
    }


def _parameters(metrics: Sequence[Metric], cluster_by: str | None) -> dict[str, Any]:
    """Return the query parameters that the metrics, one for each column, and the clustering need."""
    weights = [
        (place, task, Decimal(repr(weight)))
        for place, metric in enumerate(metrics)
        for task, weight in zip(metric.tasks or (), metric.task_weights or (), strict=False)
    ]
    return {
        "cluster_by": cluster_by,
        "revision": metrics[0].revision,
        "tasks": list(dict.fromkeys(task for metric in metrics for task in metric.tasks or ())),
        "task_places": [place for place, _, _ in weights],
        "task_names": [task for _, task, _ in weights],
        "task_weights": [weight for _, _, weight in weights],
    }


def _known(query: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """Return only the parameters that `query` uses."""
    return {name: value for name, value in parameters.items() if f":{name}" in query}


def _paired(rows: Sequence[RowMapping], of_baseline: Sequence[RowMapping]) -> PairedColumn:
    both, compared = _sum(rows, "in_both"), _sum(rows, "compared")
    passing = ClusterSums.tally((float(row["passing"]), row["verdicts"], row["clusters"]) for row in rows)
    sums = ClusterSums.tally((float(row["total"]), float(row["weight"]), row["clusters"]) for row in rows)
    measured_cases = compared if sums.counted else 0
    tasks = _tasks(rows)
    least = least_covered(tasks)
    return PairedColumn(
        cases_in_both=both,
        only_baseline=_sum(of_baseline, "cases") - both,
        only_here=_sum(rows, "cases") - both,
        questions_differ=_sum(rows, "questions_differ"),
        references_changed=_sum(rows, "references_changed"),
        compared=compared,
        better=_sum(rows, "better"),
        worse=_sum(rows, "worse"),
        zeros=_sum(rows, "zeros"),
        baseline_zeros=_sum(rows, "base_zeros"),
        mean_here=_mean(rows, "here", measured_cases),
        mean_baseline=_mean(rows, "there", measured_cases),
        measured=_sum(rows, "measured"),
        completed=_sum(rows, "completed"),
        baseline_measured=_sum(of_baseline, "measured"),
        keyed=any(row["keyed"] for row in rows),
        pair=GatePair(
            sums,
            shared_cases=least.shared_cases if least else both,
            scored_cases=least.scored_cases if least else min(compared, _whole(rows, "covered")),
            task=least.task if least else None,
        ),
        passes=PairedPasses(
            GatePair(passing, shared_cases=both, scored_cases=min(passing.pairs, _whole(rows, "covered_verdicts"))),
            gained=_sum(rows, "gained"),
            lost=_sum(rows, "lost"),
        ),
        tasks=tasks,
    )


def _tasks(rows: Sequence[RowMapping]) -> list[TaskCoverage]:
    """Return, for each task of a suite, how many cases two targets share, and how many of these are scored in both.
    Tasks without a shared case are left out. The list is empty if the targets are not compared by tasks."""
    return [
        TaskCoverage(task["task"], task["shared"], math.floor(Decimal(repr(task["covered"])) + _NOISE))
        for row in rows
        for task in row.get("of_tasks") or ()
        if task["shared"]
    ]


def _sum(rows: Sequence[RowMapping], name: str) -> int:
    return int(sum(row[name] for row in rows))


def _whole(rows: Sequence[RowMapping], name: str) -> int:
    """Return the sum of the values with the key `name`, rounded down. Each value is a number of cases. A case of which
    only some epochs have a value counts as a fraction, so rounding comes after the addition."""
    return math.floor(sum((row[name] for row in rows), Decimal()) + _NOISE)


def _mean(rows: Sequence[RowMapping], name: str, cases: int) -> float | None:
    return float(round(sum((row[name] for row in rows), Decimal()) / cases, 9)) if cases else None
