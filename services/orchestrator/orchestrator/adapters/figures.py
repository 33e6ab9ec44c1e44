"""What a run comes to: figures over all of it, per target, category and task, and per judge.

The database sums, domain.intervals turns sums into intervals: nothing is read item by item.
"""

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from sqlalchemy import RowMapping, text
from sqlalchemy.ext.asyncio import AsyncConnection

from orchestrator.domain.intervals import Clusters, mean_interval, rate_interval
from orchestrator.ports.schemas import CategoryResult, EvaluatorOut, Figures, Interval, TargetResult, TaskResult

# A judge of the whole run that was asked later speaks for it.
PRIMARY: Final = """
    SELECT evaluator_revision_id FROM run_evaluator WHERE run_id = :run_id AND whole ORDER BY position DESC LIMIT 1
"""

# One row per group of `{by}`, whose results are clustered by `{cluster}`.
_FIGURES: Final = """
    WITH result AS (
        SELECT item.*, score.normalised AS value, score.passed AS verdict
        FROM item
        LEFT JOIN score ON score.item_id = item.id AND score.status = 'SCORED'
             AND score.evaluator_revision_id = ({primary})
        WHERE item.run_id = :run_id
    ), cluster AS (
        SELECT {by}, count(value) AS n, coalesce(sum(value), 0) AS x FROM result GROUP BY {by}, {cluster}
    ), clustered AS (
        SELECT {by}, count(*) FILTER (WHERE n > 0) AS clusters,
               coalesce(sum(x * x), 0) AS xx, coalesce(sum(x * n), 0) AS xn, coalesce(sum(n * n), 0) AS nn
        FROM cluster GROUP BY {by}
    ), counted AS (
        SELECT {by}, count(*) AS items,
               count(*) FILTER (WHERE status = 'COMPLETED') AS completed,
               count(*) FILTER (WHERE status = 'FAILED') AS failed,
               count(value) AS scored, coalesce(sum(value), 0) AS x,
               avg(CASE WHEN verdict THEN 1.0 WHEN NOT verdict THEN 0.0 END) AS pass_rate,
               count(time_ms) FILTER (WHERE NOT cached) AS timed,
               count(*) FILTER (WHERE cached) AS cached,
               avg(time_ms) FILTER (WHERE NOT cached) AS mean_time_ms,
               percentile_cont(0.5) WITHIN GROUP (ORDER BY time_ms) FILTER (WHERE NOT cached) AS p50_time_ms,
               percentile_cont(0.95) WITHIN GROUP (ORDER BY time_ms) FILTER (WHERE NOT cached) AS p95_time_ms,
               avg(first_token_ms) FILTER (WHERE NOT cached) AS mean_first_token_ms,
               percentile_cont(0.5) WITHIN GROUP (ORDER BY first_token_ms) FILTER (WHERE NOT cached)
                   AS p50_first_token_ms,
               percentile_cont(0.95) WITHIN GROUP (ORDER BY first_token_ms) FILTER (WHERE NOT cached)
                   AS p95_first_token_ms,
               avg(tokens_per_second) FILTER (WHERE NOT cached) AS mean_tokens_per_second,
               coalesce(sum(prompt_tokens), 0) AS prompt_tokens,
               coalesce(sum(completion_tokens), 0) AS completion_tokens,
               coalesce(sum(reasoning_tokens), 0) AS reasoning_tokens,
               count(*) FILTER (WHERE usage_source = 'estimated') AS estimated_usage,
               count(cost_usd) AS priced, sum(cost_usd) AS cost_usd
        FROM result GROUP BY {by}
    )
    SELECT * FROM counted JOIN clustered USING ({by})
"""


def _query(by: str, cluster: str) -> str:
    return _FIGURES.format(primary=PRIMARY, by=by, cluster=cluster)


_TOTALS: Final = _query("run_id", "task_id")
_BY_TARGET: Final = f"""
    SELECT target.id AS target_id, target.label, target.model, figures.*
    FROM target JOIN ({_query("target_id", "task_id")}) AS figures ON figures.target_id = target.id
    WHERE target.run_id = :run_id ORDER BY target.position
"""  # noqa: S608  # made of constants
_BY_CATEGORY: Final = _query("category", "task_id") + " ORDER BY category"
# Over the targets of one task: each target is a cluster.
_BY_TASK: Final = _query("task_id, category", "target_id") + " ORDER BY task_id"

_BY_JUDGE: Final = f"""
    WITH cluster AS (
        SELECT score.evaluator_revision_id AS id, count(normalised) AS n, coalesce(sum(normalised), 0) AS x
        FROM score JOIN item ON item.id = score.item_id
        WHERE score.run_id = :run_id
        GROUP BY score.evaluator_revision_id, item.task_id
    ), clustered AS (
        SELECT id, count(*) FILTER (WHERE n > 0) AS clusters, sum(x * x) AS xx, sum(x * n) AS xn, sum(n * n) AS nn,
               sum(x) AS x
        FROM cluster GROUP BY id
    ), counted AS (
        SELECT evaluator_revision_id AS id, count(*) AS asked,
               count(*) FILTER (WHERE outcome = 'scored') AS scored,
               count(*) FILTER (WHERE outcome = 'unparsed') AS unparsed,
               count(*) FILTER (WHERE outcome = 'refused') AS refused,
               count(*) FILTER (WHERE outcome = 'errored') AS errored,
               count(*) FILTER (WHERE outcome IS NULL) AS pending,
               sum(cost_usd) AS cost_usd
        FROM score WHERE run_id = :run_id GROUP BY evaluator_revision_id
    )
    SELECT revision.id AS revision_id, kind, judge_provider_id, judge_model, schema_name, schema_version, prompt_hash,
           scale_min, scale_max, whole, coalesce(revision.id = ({PRIMARY}), false) AS primary,
           coalesce(asked, 0) AS asked, coalesce(scored, 0) AS scored, coalesce(unparsed, 0) AS unparsed,
           coalesce(refused, 0) AS refused, coalesce(errored, 0) AS errored, coalesce(pending, 0) AS pending,
           cost_usd, coalesce(clusters, 0) AS clusters, x, xx, xn, nn
    FROM run_evaluator
    JOIN evaluator_revision AS revision ON revision.id = run_evaluator.evaluator_revision_id
    LEFT JOIN counted ON counted.id = revision.id
    LEFT JOIN clustered ON clustered.id = revision.id
    WHERE run_evaluator.run_id = :run_id ORDER BY run_evaluator.position
"""  # noqa: S608  # made of constants


async def totals(connection: AsyncConnection, run_id: UUID) -> Figures:
    return Figures.model_validate(_figures((await _all(connection, _TOTALS, run_id))[0]))


async def by_target(connection: AsyncConnection, run_id: UUID) -> list[TargetResult]:
    return [TargetResult.model_validate(_figures(row)) for row in await _all(connection, _BY_TARGET, run_id)]


async def by_category(connection: AsyncConnection, run_id: UUID) -> list[CategoryResult]:
    return [CategoryResult.model_validate(_figures(row)) for row in await _all(connection, _BY_CATEGORY, run_id)]


async def by_task(connection: AsyncConnection, run_id: UUID) -> list[TaskResult]:
    return [TaskResult.model_validate(_figures(row)) for row in await _all(connection, _BY_TASK, run_id)]


async def by_judge(connection: AsyncConnection, run_id: UUID) -> list[EvaluatorOut]:
    return [
        EvaluatorOut.model_validate(dict(row) | _mean(dict(row))) for row in await _all(connection, _BY_JUDGE, run_id)
    ]


def _figures(row: RowMapping) -> dict[str, Any]:
    rate = None if row["pass_rate"] is None else float(row["pass_rate"])
    wilson = None if rate is None else rate_interval(rate, row["clusters"])
    return dict(row) | _mean(dict(row)) | {"pass_rate": rate, "pass_rate_interval": _interval(wilson)}


def _mean(row: Mapping[str, Any]) -> dict[str, Any]:
    if not row["scored"]:
        return {"mean_score": None, "mean_score_interval": None}
    sums = Clusters(
        count=row["clusters"],
        n=row["scored"],
        x=float(row["x"]),
        xx=float(row["xx"]),
        xn=float(row["xn"]),
        nn=int(row["nn"]),
    )
    return {"mean_score": sums.x / sums.n, "mean_score_interval": _interval(mean_interval(sums))}


def _interval(bounds: tuple[float, float] | None) -> Interval | None:
    return None if bounds is None else Interval(low=bounds[0], high=bounds[1])


async def _all(connection: AsyncConnection, query: str, run_id: UUID) -> list[RowMapping]:
    return list((await connection.execute(text(query), {"run_id": run_id})).mappings())
