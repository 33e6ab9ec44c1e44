"""How fast models wrote, and how many requests were answered in what time, as parts of queries.

A mean of rates is no rate: tokens are summed, and divided by the summed time.
"""

from typing import Final

# The first token ends the wait for the prompt, and reasoning that is counted but not shown happened in that wait. Where
# reasoning was shown, the first token came before the first of the answer.
GENERATED_TOKENS: Final = """
    CASE WHEN tokens_per_second > 0 THEN nullif(greatest(
        completion_tokens - 1
        - CASE WHEN first_content_ms > first_token_ms THEN 0 ELSE coalesce(reasoning_tokens, 0) END, 0), 0) END
"""
"""The tokens that an item's `tokens_per_second` is of (see llmbench.contracts.outcome.Timings): over it, they are the
seconds from its first token to its last."""

# What a call adds to those that began before it: pauses, back-off and what other targets took are in none.
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
"""Seconds in which at least one of the calls that were answered was under way, of the run (null) and of each target.
Calls that failed are none: one may be recorded after its item has gone on, and nothing would count it again."""
