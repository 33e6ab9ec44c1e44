"""Define SQL that measures the speed of answers and the throughput of targets.

Rates are not averaged: tokens are summed and divided by the summed time.
"""

from typing import Final

# The first token is not counted, because it ends the wait for the prompt. Hidden reasoning is generated during this
# wait, so it is not counted either. If the provider streams its reasoning, the first token is reasoning, and all later
# tokens count.
GENERATED_TOKENS: Final = """
    CASE WHEN tokens_per_second > 0 THEN nullif(greatest(
        completion_tokens - 1
        - CASE WHEN first_content_ms > first_token_ms THEN 0 ELSE coalesce(reasoning_tokens, 0) END, 0), 0) END
"""
"""SQL expression: the number of tokens from which an item's `tokens_per_second` was computed (see
`llmbench.contracts.outcome.Timings`). Divided by `tokens_per_second`, it gives the seconds from the first to the last
token."""

# The time during which a target had a call in progress; overlapping calls count once. Pauses, back-off and other
# targets' time are excluded.
BUSY: Final = """
    SELECT target_id, sum(extract(epoch FROM finished_at - greatest(started_at, until)))::float8 AS busy_s
    FROM (
        SELECT target_id, started_at, finished_at, max(finished_at) OVER (
            PARTITION BY target_id ORDER BY started_at, finished_at
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ) AS until
        FROM (
            SELECT chosen.target_id, started_at, finished_at
            FROM item JOIN model_call ON model_call.id = item.call_id
            CROSS JOIN LATERAL (VALUES (item.target_id), (CAST(NULL AS uuid))) AS chosen (target_id)
            WHERE item.run_id = :run_id AND NOT item.cached
        ) AS called
    ) AS ordered
    WHERE finished_at > coalesce(until, '-infinity') GROUP BY target_id
"""
"""The query for the seconds in which at least one answered call was in progress, per target and for the run
(`target_id` null).

Failed calls are left out. A failed call may be recorded after its item has been retried, and then nothing would trigger
a new computation.
"""
