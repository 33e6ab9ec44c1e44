"""What a run comes to: figures over all of it, per target, category and task.

The database sums, domain.intervals turns sums into intervals: nothing is read item by item.
"""

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from sqlalchemy import RowMapping, Uuid, bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncConnection

from orchestrator.domain.intervals import Clusters, mean_interval, rate_interval
from orchestrator.ports.schemas import CategoryResult, Figures, Interval, TargetResult, TaskResult

# Of each evaluator the judge that was asked last about the whole run speaks for it. An item's value is
# the weighted mean over the evaluators, if each of those with a weight has scored it.
OVERALL: Final = """
    speaking AS (
        SELECT DISTINCT ON (run_id, slot) run_id, evaluator_revision_id, weight
        FROM run_evaluator WHERE run_id {runs} AND whole ORDER BY run_id, slot, position DESC
    ), overall AS (
        SELECT score.run_id, item_id, sum(weight * normalised) / nullif(sum(weight), 0) AS value,
               bool_and(passed) AS verdict
        FROM score JOIN speaking USING (run_id, evaluator_revision_id)
        WHERE score.run_id {runs} AND status = 'SCORED'
        GROUP BY score.run_id, item_id
        HAVING count(*) FILTER (WHERE weight > 0)
            = (SELECT count(*) FROM speaking AS all_ WHERE all_.run_id = score.run_id AND all_.weight > 0)
    )
"""
_MEANS: Final = f"""
    WITH {OVERALL.format(runs="= ANY(:run_ids)")} SELECT run_id, avg(value) AS mean FROM overall GROUP BY run_id
"""  # noqa: S608  # made of constants

# One row per group of `{by}`, whose results are clustered by `{cluster}`.
_FIGURES: Final = """
    WITH {overall}, result AS (
        SELECT item.*, {cluster} AS cluster, value, verdict
        FROM item LEFT JOIN overall ON overall.item_id = item.id
        WHERE item.run_id = :run_id
    ), cluster AS (
        SELECT {by}, count(value) AS n, coalesce(sum(value), 0) AS x FROM result GROUP BY {by}, cluster
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


# Answers to turns of one conversation are not independent of each other, nor those to epochs of one task.
CLUSTER: Final = "CASE WHEN item.conversation_id IS NULL THEN 't' || item.task_id ELSE 'c' || item.conversation_id END"


def _query(by: str, cluster: str) -> str:
    return _FIGURES.format(overall=OVERALL.format(runs="= :run_id"), by=by, cluster=cluster)


_TOTALS: Final = _query("run_id", CLUSTER)
_BY_TARGET: Final = f"""
    SELECT target.id AS target_id, target.label, target.model, figures.*
    FROM target JOIN ({_query("target_id", CLUSTER)}) AS figures ON figures.target_id = target.id
    WHERE target.run_id = :run_id ORDER BY target.position
"""  # noqa: S608  # made of constants
_BY_CATEGORY: Final = _query("category", CLUSTER) + " ORDER BY category"
# Over the targets of one task: each target is a cluster.
_BY_TASK: Final = _query("task_id, category", "item.target_id") + " ORDER BY task_id"


async def totals(connection: AsyncConnection, run_id: UUID) -> Figures:
    return Figures.model_validate(_figures((await _all(connection, _TOTALS, run_id))[0]))


async def by_target(connection: AsyncConnection, run_id: UUID) -> list[TargetResult]:
    return [TargetResult.model_validate(_figures(row)) for row in await _all(connection, _BY_TARGET, run_id)]


async def by_category(connection: AsyncConnection, run_id: UUID) -> list[CategoryResult]:
    return [CategoryResult.model_validate(_figures(row)) for row in await _all(connection, _BY_CATEGORY, run_id)]


async def by_task(connection: AsyncConnection, run_id: UUID) -> list[TaskResult]:
    return [TaskResult.model_validate(_figures(row)) for row in await _all(connection, _BY_TASK, run_id)]


async def means(connection: AsyncConnection, run_ids: Sequence[UUID]) -> dict[UUID, float | None]:
    """Of each run, the mean of its items' overall scores."""
    query = text(_MEANS).bindparams(bindparam("run_ids", type_=ARRAY(Uuid)))
    rows = await connection.execute(query, {"run_ids": list(run_ids)})
    return {row.run_id: row.mean for row in rows}


def _figures(row: RowMapping) -> dict[str, Any]:
    return dict(row) | mean_and_rate(row)


def mean_and_rate(row: RowMapping) -> dict[str, Any]:
    rate = None if row["pass_rate"] is None else float(row["pass_rate"])
    wilson = None if rate is None else rate_interval(rate, row["clusters"])
    return _mean(row) | {"pass_rate": rate, "pass_rate_interval": _interval(wilson)}


def _mean(row: RowMapping) -> dict[str, Any]:
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
