"""Define the query `COUNT`: statistics of a run's items that cannot be computed as sums over blocks, such as quantiles.

It returns one JSON object with these fields:

- `quantiles` of times: in total, per target and per category
- `throughput`: in total and per target
- `ranks` for the correlation of `results.domain.length_baseline`, per evaluator revision and target
- `spread`: the numbers of scores and of times in each bin
- `tries` for `results.domain.pass_at_k`: the tries and passes of the cases, per target with epochs
- `judges`: the number and the mean time of each judge's calls, without cached answers
- `judging`: the numerators and denominators of `JudgeFigures`, per evaluator revision and target
"""

from typing import Final
from uuid import UUID

from sqlalchemy import Uuid, bindparam, text

from orchestrator.kernel.adapters.overall import CLUSTER, OF_ITEM
from orchestrator.kernel.adapters.primary_revision import with_primary_revisions
from orchestrator.kernel.adapters.rows import ANSWER_SQL
from orchestrator.results.adapters.pace import BUSY

# Bins are a tenth wide and centred on multiples of 0.1: one for each score of the rubric's scale from 0 to 10, and fine
# enough for any other scale.
SCORE_STEPS: Final = 10
SCORE_EDGES: Final = tuple((2 * step + 1) / (2 * SCORE_STEPS) for step in range(SCORE_STEPS))
"""The edges between bins of scores; an edge belongs to the upper bin. A filter with these edges as bounds selects
exactly the items of a bin."""
TIME_BINS: Final = 24

_QUANTILES: Final = """
    SELECT target_id, category, p_time_ms[1] AS p50_time_ms, p_time_ms[2] AS p95_time_ms, p_time_ms[3] AS p99_time_ms,
           p_first_token_ms[1] AS p50_first_token_ms, p_first_token_ms[2] AS p95_first_token_ms,
           p_first_token_ms[3] AS p99_first_token_ms
    FROM (
        SELECT target_id, category,
               percentile_cont(ARRAY[0.5, 0.95, 0.99]) WITHIN GROUP (ORDER BY time_ms) AS p_time_ms,
               percentile_cont(ARRAY[0.5, 0.95, 0.99]) WITHIN GROUP (ORDER BY first_token_ms) AS p_first_token_ms
        FROM item WHERE run_id = :run_id AND NOT cached
        GROUP BY GROUPING SETS ((), (target_id), (category))
    ) AS ranked
"""

# The answers are counted in the statement that measures the busy time, so that both come from one snapshot.
_THROUGHPUT: Final = f"""
    SELECT busy.target_id, busy_s, answers / nullif(busy_s, 0) AS requests_per_second,
           tokens / nullif(busy_s, 0) AS system_tokens_per_second
    FROM ({BUSY}) AS busy JOIN (
        SELECT target_id, count(*) AS answers, sum(completion_tokens) AS tokens
        FROM item WHERE run_id = :run_id AND call_id IS NOT NULL AND NOT cached
        GROUP BY GROUPING SETS ((), (target_id))
    ) AS answered ON answered.target_id IS NOT DISTINCT FROM busy.target_id
"""  # noqa: S608  # made of constants

# Spearman's ranks: equal values share their mean rank, computed from the frequency of each value. `octet_length` does
# not have to load a long text.
_RANKS: Final = f"""
    WITH cell AS (
        SELECT evaluator_revision_id AS revision_id, coalesce(target_id, :all) AS part,
               octet_length({ANSWER_SQL}) AS length, normalised, count(*) AS n
        FROM score JOIN item ON item.id = score.item_id LEFT JOIN model_call ON model_call.id = item.call_id
        WHERE score.run_id = :run_id AND normalised IS NOT NULL AND {ANSWER_SQL} IS NOT NULL
        GROUP BY GROUPING SETS (
            (revision_id, length, normalised), (revision_id, target_id, length, normalised)
        )
    ), of_length AS (
        SELECT revision_id, part, length,
               (sum(sum(n)) OVER (PARTITION BY revision_id, part ORDER BY length) - (sum(n) - 1) / 2)::float8 AS rank
        FROM cell GROUP BY revision_id, part, length
    ), of_score AS (
        SELECT revision_id, part, normalised,
               (sum(sum(n)) OVER (PARTITION BY revision_id, part ORDER BY normalised) - (sum(n) - 1) / 2)::float8
                   AS rank
        FROM cell GROUP BY revision_id, part, normalised
    )
    SELECT revision_id, nullif(part, :all) AS target_id, sum(n)::bigint AS answers,
           sum(n * of_length.rank * of_score.rank) AS xy,
           sum(n * of_length.rank * of_length.rank) AS xx, sum(n * of_score.rank * of_score.rank) AS yy
    FROM cell
    JOIN of_length USING (revision_id, part, length)
    JOIN of_score USING (revision_id, part, normalised)
    GROUP BY revision_id, part
"""  # noqa: S608  # made of constants

# The bins are logarithmic, because times of targets differ by factors. One statement reads the edges and the values, so
# no value lies outside the bins.
_SPREAD: Final = f"""
    WITH {with_primary_revisions("= :run_id")}, result AS (
        SELECT item.target_id, value, CASE WHEN NOT item.cached AND item.time_ms > 0 THEN ln(item.time_ms) END AS time
        FROM item {OF_ITEM}
        WHERE item.run_id = :run_id
    ), bounds AS (
        SELECT min(time) AS low, max(time) AS high FROM result
    ), counted AS (
        SELECT target_id, 'scores' AS of,
               width_bucket(value, ARRAY{list(SCORE_EDGES)}::float8[]) AS bin, count(*) AS items
        FROM result WHERE value IS NOT NULL GROUP BY target_id, bin
        UNION ALL
        SELECT target_id, 'times',
               CASE WHEN high > low THEN least(width_bucket(time, low, high, {TIME_BINS}), {TIME_BINS}) - 1 ELSE 0 END
                   AS bin, count(*)
        FROM result CROSS JOIN bounds WHERE time IS NOT NULL GROUP BY target_id, bin
    )
    SELECT low, high, (SELECT jsonb_agg(to_jsonb(counted)) FROM counted) AS bins FROM bounds
"""  # noqa: S608  # made of constants

# Most clusters share a few combinations of tries and passes, so only the frequency of each combination is returned.
_TRIES: Final = f"""
    WITH {with_primary_revisions("= :run_id")}, result AS (
        SELECT item.target_id, {CLUSTER} AS cluster, item.position % run.case_count AS place, verdict
        FROM run JOIN target ON target.run_id = run.id AND target.epochs > 1
        JOIN item ON item.run_id = run.id AND item.target_id = target.id {OF_ITEM}
        WHERE run.id = :run_id AND run.case_count > 0
    ), of_case AS (
        SELECT target_id, cluster, count(*) AS tries, count(*) FILTER (WHERE verdict) AS passed
        FROM result WHERE verdict IS NOT NULL GROUP BY target_id, cluster, place
    ), of_cluster AS (
        SELECT target_id, jsonb_agg(jsonb_build_array(tries, passed) ORDER BY tries, passed) AS cases
        FROM of_case GROUP BY target_id, cluster
    )
    SELECT target_id, cases, count(*) AS count FROM of_cluster GROUP BY target_id, cases
"""  # noqa: S608  # made of constants

_JUDGES: Final = """
    SELECT provider_id, model, count(*) AS calls,
           avg(extract(epoch FROM finished_at - started_at) * 1000)::float AS mean_time_ms
    FROM model_call WHERE run_id = :run_id AND score_id IS NOT NULL AND cached_from IS NULL
    GROUP BY provider_id, model ORDER BY provider_id, model
"""

# These counts come from the details that the judge stores with each score (judge.evaluators.base, repeating, pairwise,
# g_eval). Older scores lack the details, so their outcomes are counted instead. Scores decided by program (for an empty
# answer) are excluded: no judge was called.
_JUDGING: Final = """
    SELECT revision_id, target_id, sum(asked)::bigint AS asked, sum(parsed)::bigint AS parsed,
           sum(repaired)::bigint AS repaired, count(consistent) AS swapped,
           count(*) FILTER (WHERE consistent = 'true') AS consistent,
           count(agreement) AS repeated, sum(agreement) AS agreement,
           count(*) FILTER (WHERE mode = 'logprobs') AS logprobs, count(*) FILTER (WHERE mode = 'samples') AS samples,
           count(*) FILTER (WHERE mode = 'single') AS single
    FROM (
        SELECT score.evaluator_revision_id AS revision_id, item.target_id,
               coalesce((details #>> '{replies,asked}')::int, (details ->> 'repeats')::int, 1) AS asked,
               coalesce((details #>> '{replies,parsed}')::int, (details ->> 'repeats_scored')::int,
                        (outcome = 'scored')::int) AS parsed,
               coalesce((details #>> '{replies,repaired}')::int, (details ->> 'repaired')::bool::int, 0) AS repaired,
               details ->> 'swap_consistent' AS consistent, (details ->> 'self_agreement')::float8 AS agreement,
               details ->> 'mode' AS mode
        FROM score
        JOIN evaluator_revision AS revision ON revision.id = score.evaluator_revision_id
        JOIN item ON item.id = score.item_id
        WHERE score.run_id = :run_id AND revision.judge_model IS NOT NULL AND revision.prompt_hash <> ''
              AND outcome IN ('scored', 'unparsed') AND details ->> 'decided_by' IS DISTINCT FROM 'program'
    ) AS judged
    GROUP BY GROUPING SETS ((revision_id), (revision_id, target_id))
"""
COUNT: Final = text(
    f"""
    SELECT jsonb_build_object(
        'quantiles', (SELECT jsonb_agg(to_jsonb(found)) FROM ({_QUANTILES}) AS found),
        'throughput', (SELECT coalesce(jsonb_agg(to_jsonb(found)), '[]') FROM ({_THROUGHPUT}) AS found),
        'ranks', (SELECT coalesce(jsonb_agg(to_jsonb(found)), '[]') FROM ({_RANKS}) AS found),
        'spread', (SELECT to_jsonb(found) FROM ({_SPREAD}) AS found),
        'judging', (SELECT coalesce(jsonb_agg(to_jsonb(found)), '[]') FROM ({_JUDGING}) AS found),
        'tries', (SELECT coalesce(jsonb_agg(to_jsonb(found)), '[]') FROM ({_TRIES}) AS found),
        'judges', (SELECT coalesce(jsonb_agg(to_jsonb(found)), '[]') FROM ({_JUDGES}) AS found)
    )
    """  # noqa: S608  # made of constants
).bindparams(bindparam("all", UUID(int=0), type_=Uuid))
