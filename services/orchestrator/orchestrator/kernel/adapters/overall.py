"""SQL for an item's overall score and its cluster, as parts of queries.

Each evaluator counts by its primary revision (see `primary_revision`). The overall score is the weighted mean over the
evaluators that the case needs. It is null until every evaluator with a weight has scored the item.
"""

from typing import Final

from orchestrator.kernel.domain.overall import OWN_DOING

APPLIES: Final = """
    (every."only" IS NULL OR {case} @> every."only") AND (every.unless IS NULL OR NOT {case} @> every.unless)
"""
"""True when the evaluator `every` scores the case. The case is stored out of line, and read only for filters."""

OF_ITEM: Final = f"""
    LEFT JOIN LATERAL (
        SELECT CASE WHEN whole THEN value END AS value, CASE WHEN whole THEN verdict END AS verdict
        FROM (
            SELECT sum(weight * normalised) / nullif(sum(weight), 0) AS value, bool_and(passed) AS verdict,
                   count(*) FILTER (WHERE weight > 0) = (
                       SELECT count(*) FROM primary_revision AS every
                       WHERE every.run_id = item.run_id AND every.weight > 0 AND {APPLIES.format(case='item."case"')}
                   ) AS whole
            FROM score JOIN primary_revision USING (run_id, evaluator_revision_id)
            WHERE score.item_id = item.id AND status = 'SCORED'
        ) AS scored
    ) AS overall ON true
"""  # noqa: S608  # made of constants
"""A join after `item` that gives its `value` and `verdict`, null where it has none. Needs `with_primary_revisions`.

Scores are found item by item. The planner cannot know their number per run, and an estimate of one made it compare
every item with every score.
"""


def cluster_of(key: str) -> str:
    """Return the cluster of an `item`: the value of `key`, else its conversation, else its case.

    The first letter is the kind: k, c or t.
    """
    return f"coalesce('k' || {key}, 'c' || item.conversation_id, 't' || item.task_id)"


CLUSTER: Final = cluster_of("item.cluster_key")
"""The stored cluster of an `item`, see `clusters`."""

_OWN_DOING: Final = f"({', '.join(repr(kind) for kind in OWN_DOING)})"
# A turn also counts as the model's own failure if it could not be asked because the model refused an earlier turn.
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
"""
"""True when the model caused an `item`'s missing answer: a comparison counts it as 0, and all others as missing."""
