"""Compute the statistics of a run by the tags of its cases, in total and per target, from the items themselves."""

from typing import Final
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from orchestrator.kernel.adapters.overall import CLUSTER, OF_ITEM
from orchestrator.kernel.adapters.primary_revision import with_primary_revisions
from orchestrator.results.adapters.cluster_sums import OF_CLUSTERS
from orchestrator.results.adapters.figures import COUNTED, figures_of
from orchestrator.results.adapters.pace import GENERATED_TOKENS
from orchestrator.results.adapters.ranking import NO_THROUGHPUT
from orchestrator.results.ports.figure_schemas import TagResult, TagTargetResult

MOST_TAGS: Final = 200
"""The maximum number of tags that get statistics: those with the most items. A run may have as many tags as cases."""


def _query(columns: str) -> str:
    """Return the query for statistics grouped by `columns`, which are columns of its subquery `result`."""
    return f"""
        WITH {with_primary_revisions("= :run_id")}, named AS (
            SELECT DISTINCT item.id, tag #>> '{{}}' AS tag
            FROM item CROSS JOIN LATERAL jsonb_array_elements(
                CASE WHEN jsonb_typeof(item."case" #> '{{metadata,tags}}') = 'array'
                     THEN item."case" #> '{{metadata,tags}}' ELSE '[]' END
            ) AS tag
            WHERE item.run_id = :run_id AND jsonb_typeof(tag) = 'string'
        ), chosen AS (
            SELECT tag FROM named GROUP BY tag ORDER BY count(*) DESC, tag LIMIT {MOST_TAGS}
        ), scored AS MATERIALIZED (
            SELECT item.id, target_id, {CLUSTER} AS cluster, status, cached, time_ms, first_token_ms,
                   tokens_per_second, {GENERATED_TOKENS} AS generated_tokens, prompt_tokens, completion_tokens,
                   reasoning_tokens, usage_source, finish_reason, cost_usd, value, verdict
            FROM item {OF_ITEM}
            WHERE item.run_id = :run_id AND item.id IN (SELECT id FROM named)
        ), result AS (
            SELECT scored.*, tag FROM named JOIN chosen USING (tag) JOIN scored USING (id)
        ), of_cluster AS (
            SELECT {columns}, count(value) AS n, coalesce(sum(value), 0) AS x, count(verdict) AS verdicts,
                   count(*) FILTER (WHERE verdict) AS passed
            FROM result GROUP BY {columns}, cluster
        ), clustered AS (
            SELECT {columns}, sum(verdicts) AS verdicts, sum(passed) AS passed, {OF_CLUSTERS}
            FROM of_cluster GROUP BY {columns}
        ), counted AS (
            SELECT {columns}, {COUNTED} FROM result GROUP BY {columns}
        )
        SELECT * FROM counted JOIN clustered USING ({columns}) ORDER BY tag
    """  # noqa: S608  # made of constants


_BY_TAG: Final = text(_query("tag"))
_BY_TAG_AND_TARGET: Final = text(
    f"""
    SELECT of_tags.*, target.label FROM ({_query("tag, target_id")}) AS of_tags
    JOIN target ON target.id = of_tags.target_id ORDER BY tag, target.position
    """  # noqa: S608
)


async def by_tag(connection: AsyncConnection, run_id: UUID) -> list[TagResult]:
    """Return the statistics of each tag, by name. An item with several tags counts for each of them."""
    parameters = {"run_id": run_id}
    targets: dict[str, list[TagTargetResult]] = {}
    for row in (await connection.execute(_BY_TAG_AND_TARGET, parameters)).mappings():
        figures = figures_of(row, NO_THROUGHPUT)
        targets.setdefault(row["tag"], []).append(TagTargetResult.model_validate(figures))
    return [
        TagResult.model_validate(figures_of(row, NO_THROUGHPUT) | {"targets": targets[row["tag"]]})
        for row in (await connection.execute(_BY_TAG, parameters)).mappings()
    ]
