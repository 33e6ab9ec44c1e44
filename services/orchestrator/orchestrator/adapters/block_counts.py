"""What a block comes to: its items, and its scores by evaluator revision, each in one statement.

Items are found by their positions and scores by their items, one after the other, whatever the planner believes of
tables that have just grown (`OFFSET 0`): a block is a thousand items among millions.
"""

from typing import Final
from uuid import UUID

from sqlalchemy import Integer, TextClause, Uuid, bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY

from orchestrator.adapters.overall import APPLIES, CLUSTER, SPEAKING

_PART: Final = """
    part AS MATERIALIZED (
        SELECT block, of_block.*
        FROM unnest(:blocks, :firsts, :lasts) AS chosen (block, first, last)
        CROSS JOIN LATERAL (
            SELECT {columns} FROM item WHERE run_id = :run_id AND position BETWEEN first AND last OFFSET 0
        ) AS of_block
    )
"""
_ITEM_COLUMNS: Final = f"""
    id, target_id, category, {CLUSTER} AS cluster, status, cached, time_ms, first_token_ms, tokens_per_second,
    prompt_tokens, completion_tokens, reasoning_tokens, usage_source, cost_usd
"""
# Sums over clusters, where `n` items of one are scored with `x` in all.
_CLUSTERED: Final = """
    count(*) FILTER (WHERE n > 0) AS clusters, coalesce(sum(n * n), 0) AS nn, coalesce(sum(x), 0) AS x,
    coalesce(sum(x * x), 0) AS xx, coalesce(sum(x * n), 0) AS xn
"""

_CASE: Final = '(SELECT "case" FROM item WHERE item.id = part.id)'

_ITEMS: Final = f"""
    WITH {SPEAKING.format(runs="= :run_id")}, {_PART.format(columns=_ITEM_COLUMNS)}, result AS MATERIALIZED (
        SELECT part.*, CASE WHEN whole THEN value END AS value, CASE WHEN whole THEN verdict END AS verdict
        FROM part CROSS JOIN LATERAL (
            SELECT sum(weight * normalised) / nullif(sum(weight), 0) AS value, bool_and(passed) AS verdict,
                   count(*) FILTER (WHERE weight > 0) = (
                       SELECT count(*) FROM speaking AS every
                       WHERE every.weight > 0 AND {APPLIES.format(case=_CASE)}
                   ) AS whole
            FROM score JOIN speaking USING (run_id, evaluator_revision_id)
            WHERE item_id = part.id AND status = 'SCORED'
        ) AS overall
    ), cluster AS (
        SELECT block, target_id, category, count(value) AS n, coalesce(sum(value), 0) AS x
        FROM result GROUP BY GROUPING SETS ((block, cluster), (block, target_id, cluster), (block, category, cluster))
    ), clustered AS (
        SELECT block, target_id, category, {_CLUSTERED} FROM cluster GROUP BY block, target_id, category
    ), counted AS (
        SELECT block, target_id, category, count(*) AS items,
               count(*) FILTER (WHERE status = 'COMPLETED') AS completed,
               count(*) FILTER (WHERE status = 'FAILED') AS failed,
               count(value) AS scored, count(verdict) AS verdicts, count(*) FILTER (WHERE verdict) AS passed,
               count(time_ms) FILTER (WHERE NOT cached) AS timed, count(*) FILTER (WHERE cached) AS cached,
               count(first_token_ms) FILTER (WHERE NOT cached) AS first_tokens,
               count(tokens_per_second) FILTER (WHERE NOT cached) AS rates,
               sum(time_ms) FILTER (WHERE NOT cached) AS time_ms,
               sum(first_token_ms) FILTER (WHERE NOT cached) AS first_token_ms,
               sum(tokens_per_second) FILTER (WHERE NOT cached) AS tokens_per_second,
               sum(prompt_tokens) AS prompt_tokens, sum(completion_tokens) AS completion_tokens,
               sum(reasoning_tokens) AS reasoning_tokens,
               count(*) FILTER (WHERE usage_source = 'estimated') AS estimated_usage,
               count(cost_usd) AS priced, sum(cost_usd) AS cost_usd
        FROM result GROUP BY GROUPING SETS ((block), (block, target_id), (block, category))
    )
    INSERT INTO block_figure
        (run_id, block, target_id, category, items, completed, failed, scored, verdicts, passed, clusters, nn, x, xx,
         xn, timed, cached, first_tokens, rates, time_ms, first_token_ms, tokens_per_second, prompt_tokens,
         completion_tokens, reasoning_tokens, estimated_usage, priced, cost_usd)
    SELECT :run_id, counted.block, counted.target_id, counted.category, items, completed, failed, scored, verdicts,
           passed, clusters, nn, x, xx, xn, timed, cached, first_tokens, rates, coalesce(time_ms, 0),
           coalesce(first_token_ms, 0), coalesce(tokens_per_second, 0), coalesce(prompt_tokens, 0),
           coalesce(completion_tokens, 0), coalesce(reasoning_tokens, 0), estimated_usage, priced,
           coalesce(cost_usd, 0)
    FROM counted JOIN clustered ON clustered.block = counted.block
         AND clustered.target_id IS NOT DISTINCT FROM counted.target_id
         AND clustered.category IS NOT DISTINCT FROM counted.category
"""  # noqa: S608  # made of constants, as what follows

_SCORES: Final = f"""
    WITH {_PART.format(columns=f"id, target_id, {CLUSTER} AS cluster")}, result AS MATERIALIZED (
        SELECT block, target_id, cluster, of_item.*
        FROM part CROSS JOIN LATERAL (
            SELECT evaluator_revision_id, outcome, normalised, passed, cost_usd
            FROM score WHERE item_id = part.id OFFSET 0
        ) AS of_item
    ), cluster AS (
        SELECT block, evaluator_revision_id, coalesce(target_id, :all) AS part, count(normalised) AS n,
               coalesce(sum(normalised), 0) AS x
        FROM result GROUP BY GROUPING SETS (
            (block, evaluator_revision_id, cluster), (block, evaluator_revision_id, target_id, cluster)
        )
    ), clustered AS (
        SELECT block, evaluator_revision_id, part, {_CLUSTERED} FROM cluster GROUP BY block, evaluator_revision_id, part
    ), counted AS (
        SELECT block, evaluator_revision_id, coalesce(target_id, :all) AS part, count(*) AS asked,
               count(*) FILTER (WHERE outcome = 'scored') AS scored,
               count(*) FILTER (WHERE outcome = 'unparsed') AS unparsed,
               count(*) FILTER (WHERE outcome = 'refused') AS refused,
               count(*) FILTER (WHERE outcome = 'errored') AS errored,
               count(*) FILTER (WHERE outcome IS NULL) AS pending,
               count(passed) AS verdicts, count(*) FILTER (WHERE passed) AS passed,
               count(cost_usd) AS priced, coalesce(sum(cost_usd), 0) AS cost_usd
        FROM result GROUP BY GROUPING SETS ((block, evaluator_revision_id), (block, evaluator_revision_id, target_id))
    )
    INSERT INTO block_score_figure
        (run_id, block, evaluator_revision_id, target_id, asked, scored, unparsed, refused, errored, pending, verdicts,
         passed, priced, cost_usd, clusters, nn, x, xx, xn)
    SELECT :run_id, block, evaluator_revision_id, nullif(part, :all), asked, scored, unparsed, refused, errored,
           pending, verdicts, passed, priced, cost_usd, clusters, nn, x, xx, xn
    FROM counted JOIN clustered USING (block, evaluator_revision_id, part)
"""  # noqa: S608


def _of_blocks(query: str) -> TextClause:
    arrays = [bindparam(name, type_=ARRAY(Integer)) for name in ("blocks", "firsts", "lasts")]
    return text(query).bindparams(bindparam("run_id", type_=Uuid), *arrays)


COUNT_ITEMS: Final = _of_blocks(_ITEMS)
"""Parameters: the run, and for each range of positions its block, its first and its last."""
COUNT_SCORES: Final = _of_blocks(_SCORES).bindparams(bindparam("all", UUID(int=0), type_=Uuid))
"""The same."""
