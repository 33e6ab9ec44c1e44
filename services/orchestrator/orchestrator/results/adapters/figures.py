"""Compute the statistics of a run: in total, per target, per category and per task.

Counts and sums are stored per block of items and added up. Quantiles come from the stored order statistics (see
`ranking`). `domain.intervals` turns sums into confidence intervals. The statistics per task, and the counts of failed
answers that a comparison counts as 0, are read from the items themselves.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from sqlalchemy import RowMapping, Uuid, bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.contracts.outcome import CUT
from llmbench.contracts.run_words import RunStatus
from orchestrator.kernel.adapters.overall import OF_ITEM
from orchestrator.kernel.adapters.primary_revision import with_primary_revisions
from orchestrator.results.adapters.cluster_sums import OF_CLUSTERS, WITHIN, added, of_scores, of_verdicts, spanning
from orchestrator.results.adapters.failures import zeros
from orchestrator.results.adapters.pace import GENERATED_TOKENS
from orchestrator.results.adapters.ranking import NO_THROUGHPUT, Ranking, Speed
from orchestrator.results.domain.divided_cost import divided_cost
from orchestrator.results.domain.intervals import mean_interval, pass_interval
from orchestrator.results.domain.pass_at_k import passes
from orchestrator.results.domain.zeros import Zeros
from orchestrator.results.ports.figure_schemas import (
    CategoryResult,
    CostParts,
    Figures,
    Interval,
    PassesOut,
    TargetResult,
    TargetScore,
    TaskResult,
    ZerosOut,
)
from orchestrator.results.ports.schemas import EvaluatorOut, RunSummary

OF_RUN: Final = "target_id IS NULL AND category IS NULL"
"""The SQL condition for the rows of `block_figure` that cover all targets and categories."""
_SUMS: Final = f"""
    coalesce(sum(items), 0) AS items, coalesce(sum(completed), 0) AS completed, coalesce(sum(failed), 0) AS failed,
    coalesce(sum(skipped), 0) AS skipped,
    coalesce(sum(scored), 0) AS scored, coalesce(sum(verdicts), 0) AS verdicts, coalesce(sum(passed), 0) AS passed,
    sum(passed)::float8 / nullif(sum(verdicts), 0)::float8 AS pass_rate, sum(x) AS x, {WITHIN},
    coalesce(sum(timed), 0) AS timed, coalesce(sum(cached), 0) AS cached,
    sum(time_ms)::float8 / nullif(sum(timed), 0)::float8 AS mean_time_ms,
    sum(first_token_ms)::float8 / nullif(sum(first_tokens), 0)::float8 AS mean_first_token_ms,
    sum(generated_tokens)::float8 / nullif(sum(generating_s), 0) AS mean_tokens_per_second,
    coalesce(sum(prompt_tokens), 0) AS prompt_tokens, coalesce(sum(completion_tokens), 0) AS completion_tokens,
    coalesce(sum(reasoning_tokens), 0) AS reasoning_tokens, coalesce(sum(estimated_usage), 0) AS estimated_usage,
    coalesce(sum(cut), 0) AS cut, coalesce(sum(priced), 0) AS priced,
    CASE WHEN sum(priced) > 0 OR sum(cached) > 0 AND sum(timed) = 0 THEN sum(cost_usd) END AS cost_usd
"""
_OF_ITEMS: Final = "evaluator_revision_id IS NULL"
_TOTALS: Final = f"""
    SELECT figures.*, {added()}
    FROM (SELECT CAST(NULL AS uuid) AS target_id, {_SUMS} FROM block_figure WHERE run_id = :run_id AND {OF_RUN})
         AS figures
    LEFT JOIN ({spanning("target_id", f"{_OF_ITEMS} AND {OF_RUN}")}) AS spanning ON true
"""  # noqa: S608  # made of constants
_BY_TARGET: Final = f"""
    SELECT target.id AS target_id, target.label, target.model, target.epochs, figures.*, {added()}
    FROM target JOIN (
        SELECT target_id, {_SUMS} FROM block_figure WHERE run_id = :run_id AND target_id IS NOT NULL GROUP BY target_id
    ) AS figures ON figures.target_id = target.id
    LEFT JOIN ({spanning("target_id", f"{_OF_ITEMS} AND target_id IS NOT NULL")}) AS spanning
        ON spanning.target_id = target.id
    WHERE target.run_id = :run_id ORDER BY target.position
"""  # noqa: S608
_BY_CATEGORY: Final = f"""
    SELECT figures.*, {added()}
    FROM (
        SELECT category, {_SUMS} FROM block_figure WHERE run_id = :run_id AND category IS NOT NULL GROUP BY category
    ) AS figures
    LEFT JOIN ({spanning("category", f"{_OF_ITEMS} AND category IS NOT NULL")}) AS spanning USING (category)
    ORDER BY category
"""  # noqa: S608
_MEANS: Final = f"""
    SELECT run_id, sum(x) / nullif(sum(scored), 0)::float8 AS mean
    FROM block_figure WHERE run_id = ANY(:run_ids) AND {OF_RUN} GROUP BY run_id
"""  # noqa: S608
_TARGET_SCORES: Final = f"""
    SELECT target.run_id, figures.*, {added()}
    FROM target JOIN (
        SELECT target_id, coalesce(sum(scored), 0) AS scored, sum(x) AS x, {WITHIN}
        FROM block_figure WHERE run_id = ANY(:run_ids) AND target_id IS NOT NULL GROUP BY target_id
    ) AS figures ON figures.target_id = target.id
    LEFT JOIN ({spanning("target_id", f"{_OF_ITEMS} AND target_id IS NOT NULL", of="= ANY(:run_ids)")}) AS spanning
        ON spanning.target_id = target.id
    WHERE target.run_id = ANY(:run_ids) ORDER BY target.run_id, target.position
"""  # noqa: S608

COUNTED: Final = f"""
    count(*) AS items,
    count(*) FILTER (WHERE status = 'COMPLETED') AS completed,
    count(*) FILTER (WHERE status = 'FAILED') AS failed,
    count(*) FILTER (WHERE status = 'SKIPPED') AS skipped,
    count(value) AS scored, coalesce(sum(value), 0) AS x,
    avg(CASE WHEN verdict THEN 1.0 WHEN NOT verdict THEN 0.0 END) AS pass_rate,
    count(time_ms) FILTER (WHERE NOT cached) AS timed,
    count(*) FILTER (WHERE cached) AS cached,
    avg(time_ms) FILTER (WHERE NOT cached) AS mean_time_ms,
    percentile_cont(0.5) WITHIN GROUP (ORDER BY time_ms) FILTER (WHERE NOT cached) AS p50_time_ms,
    percentile_cont(0.95) WITHIN GROUP (ORDER BY time_ms) FILTER (WHERE NOT cached) AS p95_time_ms,
    percentile_cont(0.99) WITHIN GROUP (ORDER BY time_ms) FILTER (WHERE NOT cached) AS p99_time_ms,
    avg(first_token_ms) FILTER (WHERE NOT cached) AS mean_first_token_ms,
    percentile_cont(0.5) WITHIN GROUP (ORDER BY first_token_ms) FILTER (WHERE NOT cached)
        AS p50_first_token_ms,
    percentile_cont(0.95) WITHIN GROUP (ORDER BY first_token_ms) FILTER (WHERE NOT cached)
        AS p95_first_token_ms,
    percentile_cont(0.99) WITHIN GROUP (ORDER BY first_token_ms) FILTER (WHERE NOT cached)
        AS p99_first_token_ms,
    sum(generated_tokens) FILTER (WHERE NOT cached)
        / sum(generated_tokens / tokens_per_second) FILTER (WHERE NOT cached) AS mean_tokens_per_second,
    coalesce(sum(prompt_tokens), 0) AS prompt_tokens,
    coalesce(sum(completion_tokens), 0) AS completion_tokens,
    coalesce(sum(reasoning_tokens), 0) AS reasoning_tokens,
    count(*) FILTER (WHERE usage_source = 'estimated') AS estimated_usage,
    count(*) FILTER (WHERE finish_reason = '{CUT}') AS cut,
    count(cost_usd) FILTER (WHERE NOT cached) AS priced,
    CASE WHEN bool_or(cost_usd IS NOT NULL AND NOT cached)
              OR bool_or(cached) AND count(time_ms) FILTER (WHERE NOT cached) = 0
         THEN coalesce(sum(cost_usd), 0) END AS cost_usd
"""
"""SQL: the statistics of a group of rows `result`, which are items with `value`, `verdict` and `generated_tokens`."""

# One row per task, over all targets. The answers of one target form a cluster.
_BY_TASK: Final = f"""
    WITH {with_primary_revisions("= :run_id")}, result AS (
        SELECT item.*, value, verdict, {GENERATED_TOKENS} AS generated_tokens
        FROM item {OF_ITEM}
        WHERE item.run_id = :run_id
    ), cluster AS (
        SELECT task_id, category, count(value) AS n, coalesce(sum(value), 0) AS x, count(verdict) AS verdicts,
               count(*) FILTER (WHERE verdict) AS passed
        FROM result GROUP BY task_id, category, target_id
    ), clustered AS (
        SELECT task_id, category, sum(verdicts) AS verdicts, sum(passed) AS passed, {OF_CLUSTERS}
        FROM cluster GROUP BY task_id, category
    ), counted AS (
        SELECT task_id, category, {COUNTED}
        FROM result GROUP BY task_id, category
    )
    SELECT * FROM counted JOIN clustered USING (task_id, category) ORDER BY task_id
"""  # noqa: S608


async def totals(connection: AsyncConnection, run_id: UUID, speed: Speed) -> Figures:
    (row,) = await _all(connection, _TOTALS, run_id)
    of_targets = (await zeros(connection, [run_id])).values()
    return Figures.model_validate(figures_of(row, speed.of_run()) | {"zeros": _zeros(sum(of_targets, Zeros()))})


def cost_parts(run: RunSummary, totals: Figures, evaluators: Iterable[EvaluatorOut]) -> CostParts | None:
    """Return the parts of a run's cost. Return `None` if it is active, or did not pay for all its answers."""
    if run.status not in (RunStatus.FINISHED, RunStatus.CANCELLED):
        return None
    parts = divided_cost(run.cost_usd, answers=totals.cost_usd, judging=[each.cost_usd for each in evaluators])
    return CostParts(**parts._asdict()) if parts else None


async def by_target(connection: AsyncConnection, run_id: UUID, ranking: Ranking) -> list[TargetResult]:
    of_targets = await zeros(connection, [run_id])
    return [
        TargetResult.model_validate(
            figures_of(row, ranking.speed.of_target(row["target_id"]))
            | {"passes": _passes(row, ranking), "zeros": _zeros(of_targets.get(row["target_id"], Zeros()))}
        )
        for row in await _all(connection, _BY_TARGET, run_id)
    ]


def _passes(row: RowMapping, ranking: Ranking) -> list[PassesOut]:
    return [
        PassesOut(
            k=each.k,
            cases=each.cases,
            pass_at_k=each.pass_at_k,
            pass_at_k_interval=_interval(each.pass_at_k_interval),
            pass_hat_k=each.pass_hat_k,
            pass_hat_k_interval=_interval(each.pass_hat_k_interval),
        )
        for each in passes(ranking.tries(row["target_id"]), epochs=row["epochs"])
    ]


async def by_category(connection: AsyncConnection, run_id: UUID, speed: Speed) -> list[CategoryResult]:
    return [
        CategoryResult.model_validate(figures_of(row, speed.of_category(row["category"])))
        for row in await _all(connection, _BY_CATEGORY, run_id)
    ]


async def by_task(connection: AsyncConnection, run_id: UUID) -> list[TaskResult]:
    return [
        TaskResult.model_validate(figures_of(row, NO_THROUGHPUT)) for row in await _all(connection, _BY_TASK, run_id)
    ]


async def means(connection: AsyncConnection, run_ids: Sequence[UUID]) -> dict[UUID, float | None]:
    """Return the mean overall score of each run. The mean is `None` for a run without scores, and a run without stored
    statistics is missing."""
    query = text(_MEANS).bindparams(bindparam("run_ids", type_=ARRAY(Uuid)))
    rows = await connection.execute(query, {"run_ids": list(run_ids)})
    return {row.run_id: row.mean for row in rows}


async def target_scores(connection: AsyncConnection, run_ids: Sequence[UUID]) -> dict[UUID, list[TargetScore]]:
    """Return the mean overall score of each target of the runs, in the order of the targets. A run without stored
    statistics is missing."""
    query = text(_TARGET_SCORES).bindparams(bindparam("run_ids", type_=ARRAY(Uuid)))
    scores: dict[UUID, list[TargetScore]] = {}
    for row in (await connection.execute(query, {"run_ids": list(run_ids)})).mappings():
        score = TargetScore(target_id=row["target_id"], scored=row["scored"], **_mean(row))
        scores.setdefault(row["run_id"], []).append(score)
    return scores


def _zeros(of: Zeros) -> ZerosOut | None:
    return ZerosOut.model_validate(of) if of.count else None


def figures_of(row: RowMapping, quantiles: Mapping[str, float | None]) -> dict[str, Any]:
    return {**row, **quantiles, **mean_and_rate(row)}


def mean_and_rate(row: RowMapping) -> dict[str, Any]:
    rate = None if row["pass_rate"] is None else float(row["pass_rate"])
    verdicts = of_verdicts(row)
    wilson = None if rate is None or not verdicts.n else pass_interval(verdicts)
    return _mean(row) | {"pass_rate": rate, "pass_rate_interval": _interval(wilson)}


def _mean(row: RowMapping) -> dict[str, Any]:
    if not row["scored"]:
        return {"mean_score": None, "mean_score_interval": None}
    sums = of_scores(row)
    return {"mean_score": sums.x / sums.n, "mean_score_interval": _interval(mean_interval(sums))}


def _interval(bounds: tuple[float, float] | None) -> Interval | None:
    return None if bounds is None else Interval(low=bounds[0], high=bounds[1])


async def _all(connection: AsyncConnection, query: str, run_id: UUID) -> list[RowMapping]:
    return list((await connection.execute(text(query), {"run_id": run_id})).mappings())
