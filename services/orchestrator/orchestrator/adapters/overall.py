"""An item's overall score, and what it is no independent result of, as parts of queries.

Of each evaluator the judge that was asked last about the whole run speaks for it. An item's value is the weighted mean
over the evaluators, if each of those with a weight has scored it.
"""

from typing import Final

from orchestrator.domain.overall import OWN_DOING

SPEAKING: Final = """
    speaking AS (
        SELECT DISTINCT ON (run_id, slot) run_id, evaluator_revision_id, weight
        FROM run_evaluator WHERE run_id {runs} AND whole AND NOT member ORDER BY run_id, slot, position DESC
    )
"""
OF_ITEM: Final = """
    LEFT JOIN LATERAL (
        SELECT CASE WHEN whole THEN value END AS value, CASE WHEN whole THEN verdict END AS verdict
        FROM (
            SELECT sum(weight * normalised) / nullif(sum(weight), 0) AS value, bool_and(passed) AS verdict,
                   count(*) FILTER (WHERE weight > 0) = (
                       SELECT count(*) FROM speaking AS every WHERE every.run_id = item.run_id AND every.weight > 0
                   ) AS whole
            FROM score JOIN speaking USING (run_id, evaluator_revision_id)
            WHERE score.item_id = item.id AND status = 'SCORED'
        ) AS scored
    ) AS overall ON true
"""
"""Behind an `item`: its `value` and `verdict`, null where it has none. Scores are found item by item: how many a run
has the planner cannot know where runs differ, and a guess of one made it compare every item with every score."""

CLUSTER: Final = "coalesce('k' || item.cluster_key, 'c' || item.conversation_id, 't' || item.task_id)"
"""The coarsest that an `item`'s result belongs to: its stored key (see `clusters`), its conversation, or its case."""

_OWN_DOING: Final = f"({', '.join(repr(kind) for kind in OWN_DOING)})"
# A turn that could not be asked because the model refused an earlier one is as much its doing.
FAILED_BY_ITSELF: Final = f"""
    (item.status = 'FAILED' AND item.failure ->> 'phase' = 'BENCHMARKING' AND (
        item.failure ->> 'kind' IN {_OWN_DOING}
        OR item.failure ->> 'kind' = 'turn_failed' AND EXISTS (
            SELECT FROM item AS earlier
            WHERE earlier.target_id = item.target_id AND earlier.conversation_id = item.conversation_id
                  AND earlier.epoch = item.epoch AND earlier.turn < item.turn AND earlier.status = 'FAILED'
                  AND earlier.failure ->> 'phase' = 'BENCHMARKING' AND earlier.failure ->> 'kind' IN {_OWN_DOING}
        )
    ))
"""  # made of constants
"""Whether an `item` has no answer by the model's own doing: a comparison counts it as 0, and all else as missing."""
