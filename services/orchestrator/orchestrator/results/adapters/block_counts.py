"""Build the two SQL statements that compute the statistics of blocks (ranges of cases). One computes the statistics of
items, the other those of scores by evaluator revision.

`OFFSET 0` forces the planner to find items by position first, then their scores. Without it, the planner would choose
badly. The planner's statistics of a quickly growing table are outdated, and a block is a thousand items among millions.
"""

from typing import Final
from uuid import UUID

from sqlalchemy import Integer, TextClause, Uuid, bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY

from llmbench.contracts.outcome import CUT
from orchestrator.kernel.adapters.overall import APPLIES, CLUSTER
from orchestrator.kernel.adapters.primary_revision import with_primary_revisions
from orchestrator.results.adapters.pace import GENERATED_TOKENS

_PART: Final = """
    part AS MATERIALIZED (
        SELECT block, of_block.*, spanning_cluster.cluster IS NOT NULL AS spans
        FROM unnest(:blocks, :firsts, :lasts) AS chosen (block, first, last)
        CROSS JOIN LATERAL (
            SELECT {columns} FROM item WHERE run_id = :run_id AND position BETWEEN first AND last OFFSET 0
        ) AS of_block
        LEFT JOIN spanning_cluster ON spanning_cluster.run_id = :run_id AND spanning_cluster.cluster = of_block.cluster
    )
"""
_ITEM_COLUMNS: Final = f"""
    id, target_id, category, {CLUSTER} AS cluster, status, cached, time_ms, first_token_ms,
    {GENERATED_TOKENS} AS generated_tokens, tokens_per_second, prompt_tokens, completion_tokens, reasoning_tokens,
    usage_source, finish_reason, cost_usd
"""
# For each cluster of a block: `n` scored items, the sum `x` of their scores, and `passed` of `verdicts`. Sums of
# squares leave out clusters that span several blocks.
_WITHIN: Final = "FILTER (WHERE NOT spans)"
_CLUSTERED: Final = f"""
    count(*) FILTER (WHERE n > 0 AND NOT spans) AS clusters, coalesce(sum(n * n) {_WITHIN}, 0) AS nn,
    coalesce(sum(x), 0) AS x, coalesce(sum(x * x) {_WITHIN}, 0) AS xx, coalesce(sum(x * n) {_WITHIN}, 0) AS xn,
    count(*) FILTER (WHERE verdicts > 0 AND NOT spans) AS pass_clusters,
    coalesce(sum(verdicts * verdicts) {_WITHIN}, 0) AS pass_nn,
    coalesce(sum(passed * passed) {_WITHIN}, 0) AS pass_xx, coalesce(sum(passed * verdicts) {_WITHIN}, 0) AS pass_xn
"""

_CASE: Final = '(SELECT "case" FROM item WHERE item.id = part.id)'

_ITEMS: Final = f"""
    WITH {with_primary_revisions("= :run_id")}, {_PART.format(columns=_ITEM_COLUMNS)}, result AS MATERIALIZED (
        SELECT part.*, CASE WHEN whole THEN value END AS value, CASE WHEN whole THEN verdict END AS verdict
        FROM part CROSS JOIN LATERAL (
            SELECT sum(weight * normalised) / nullif(sum(weight), 0) AS value, bool_and(passed) AS verdict,
                   count(*) FILTER (WHERE weight > 0) = (
                       SELECT count(*) FROM primary_revision AS every
                       WHERE every.weight > 0 AND {APPLIES.format(case=_CASE)}
                   ) AS whole
            FROM score JOIN primary_revision USING (run_id, evaluator_revision_id)
            WHERE item_id = part.id AND status = 'SCORED'
        ) AS overall
    ), cluster AS (
        SELECT block, target_id, category, cluster, bool_or(spans) AS spans, count(value) AS n,
               coalesce(sum(value), 0) AS x, count(verdict) AS verdicts, count(*) FILTER (WHERE verdict) AS passed
        FROM result GROUP BY GROUPING SETS ((block, cluster), (block, target_id, cluster), (block, category, cluster))
    ), spanning AS (
        INSERT INTO block_cluster (run_id, block, target_id, category, cluster, n, x, verdicts, passed)
        SELECT :run_id, block, target_id, category, cluster, n, x, verdicts, passed
        FROM cluster WHERE spans AND greatest(n, verdicts) > 0
    ), clustered AS (
        SELECT block, target_id, category, {_CLUSTERED} FROM cluster GROUP BY block, target_id, category
    ), counted AS (
        SELECT block, target_id, category, count(*) AS items,
               count(*) FILTER (WHERE status = 'COMPLETED') AS completed,
               count(*) FILTER (WHERE status = 'FAILED') AS failed,
               count(*) FILTER (WHERE status = 'SKIPPED') AS skipped,
               count(value) AS scored, count(verdict) AS verdicts, count(*) FILTER (WHERE verdict) AS passed,
               count(time_ms) FILTER (WHERE NOT cached) AS timed, count(*) FILTER (WHERE cached) AS cached,
               count(first_token_ms) FILTER (WHERE NOT cached) AS first_tokens,
               sum(time_ms) FILTER (WHERE NOT cached) AS time_ms,
               sum(first_token_ms) FILTER (WHERE NOT cached) AS first_token_ms,
               sum(generated_tokens) FILTER (WHERE NOT cached) AS generated_tokens,
               sum(generated_tokens / tokens_per_second) FILTER (WHERE NOT cached) AS generating_s,
               sum(prompt_tokens) AS prompt_tokens, sum(completion_tokens) AS completion_tokens,
               sum(reasoning_tokens) AS reasoning_tokens,
               count(*) FILTER (WHERE usage_source = 'estimated') AS estimated_usage,
               count(*) FILTER (WHERE finish_reason = '{CUT}') AS cut,
               count(cost_usd) FILTER (WHERE NOT cached) AS priced, sum(cost_usd) AS cost_usd
        FROM result GROUP BY GROUPING SETS ((block), (block, target_id), (block, category))
    )
    INSERT INTO block_figure
        (run_id, block, target_id, category, items, completed, failed, skipped, scored, verdicts, passed, clusters, nn,
         x, xx, xn, pass_clusters, pass_nn, pass_xx, pass_xn, timed, cached, first_tokens, time_ms, first_token_ms,
         generated_tokens, generating_s, prompt_tokens, completion_tokens, reasoning_tokens, estimated_usage, cut,
         priced, cost_usd)
    SELECT :run_id, counted.block, counted.target_id, counted.category, items, completed, failed, skipped, scored,
           verdicts, passed, clusters, nn, x, xx, xn, pass_clusters, pass_nn, pass_xx, pass_xn, timed, cached,
           first_tokens, coalesce(time_ms, 0), coalesce(first_token_ms, 0), coalesce(generated_tokens, 0),
           coalesce(generating_s, 0), coalesce(prompt_tokens, 0),
           coalesce(completion_tokens, 0), coalesce(reasoning_tokens, 0), estimated_usage, cut, priced,
           coalesce(cost_usd, 0)
    FROM counted JOIN clustered ON clustered.block = counted.block
         AND clustered.target_id IS NOT DISTINCT FROM counted.target_id
         AND clustered.category IS NOT DISTINCT FROM counted.category
"""  # noqa: S608  # made of constants, as what follows

_SCORES: Final = f"""
    WITH {_PART.format(columns=f"id, target_id, {CLUSTER} AS cluster")}, result AS MATERIALIZED (
        SELECT block, target_id, cluster, spans, of_item.*
        FROM part CROSS JOIN LATERAL (
            SELECT evaluator_revision_id, outcome, normalised, passed, cost_usd
            FROM score WHERE item_id = part.id OFFSET 0
        ) AS of_item
    ), cluster AS (
        SELECT block, evaluator_revision_id, coalesce(target_id, :all) AS part, cluster, bool_or(spans) AS spans,
               count(normalised) AS n, coalesce(sum(normalised), 0) AS x, count(passed) AS verdicts,
               count(*) FILTER (WHERE passed) AS passed
        FROM result GROUP BY GROUPING SETS (
            (block, evaluator_revision_id, cluster), (block, evaluator_revision_id, target_id, cluster)
        )
    ), spanning AS (
        INSERT INTO block_cluster (run_id, block, evaluator_revision_id, target_id, cluster, n, x, verdicts, passed)
        SELECT :run_id, block, evaluator_revision_id, nullif(part, :all), cluster, n, x, verdicts, passed
        FROM cluster WHERE spans AND greatest(n, verdicts) > 0
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
         passed, priced, cost_usd, clusters, nn, x, xx, xn, pass_clusters, pass_nn, pass_xx, pass_xn)
    SELECT :run_id, block, evaluator_revision_id, nullif(part, :all), asked, scored, unparsed, refused, errored,
           pending, verdicts, passed, priced, cost_usd, clusters, nn, x, xx, xn, pass_clusters, pass_nn, pass_xx,
           pass_xn
    FROM counted JOIN clustered USING (block, evaluator_revision_id, part)
"""  # noqa: S608


def _of_blocks(query: str) -> TextClause:
    arrays = [bindparam(name, type_=ARRAY(Integer)) for name in ("blocks", "firsts", "lasts")]
    return text(query).bindparams(bindparam("run_id", type_=Uuid), *arrays)


COUNT_ITEMS: Final = _of_blocks(_ITEMS)
"""The statement that computes and stores the statistics of blocks from their items. Its parameters are `run_id` and the
arrays `blocks`, `firsts` and `lasts`: the block, first and last position of each range."""
COUNT_SCORES: Final = _of_blocks(_SCORES).bindparams(bindparam("all", UUID(int=0), type_=Uuid))
"""The statement that computes and stores the statistics of blocks from their scores. It has the parameters of
`COUNT_ITEMS`."""
