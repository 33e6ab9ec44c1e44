"""Build the parts of SQL queries that compute an item's overall score and cluster, and find answers that count as 0.

The overall score is the weighted mean of the scores by the evaluators that apply to the case, each by its primary
revision (see `primary_revision`). It is null until every such evaluator with a weight has scored the item.
"""

from typing import Final

from orchestrator.kernel.domain.overall import OWN_DOING

APPLIES: Final = """
    (every."only" IS NULL OR {case} @> every."only") AND (every.unless IS NULL OR NOT {case} @> every.unless)
"""
"""SQL condition: the evaluator in the row `every` scores the case. `{case}` is the SQL of the case.

PostgreSQL reads the large `case` value (TOAST) only if the evaluator has `only` or `unless`.
"""

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
"""SQL join to add after the table `item`. It supplies `overall.value` (0…1) and `overall.verdict`; both are null
without an overall score. The query needs the common table expression of `with_primary_revisions`.

Scores are looked up item by item. The planner cannot know the number of scores per run; when it estimated one score, it
compared every item with every score.
"""


def cluster_of(key: str) -> str:
    """Return the SQL for the name of an `item`'s cluster: the value of `key`, else its conversation, else its case.

    `key` is an SQL expression of type text, which is null for an item without a cluster key. The first letter of the
    name is the kind of the cluster: k (key), c (conversation) or t (case).
    """
    return f"coalesce('k' || {key}, 'c' || item.conversation_id, 't' || item.task_id)"


CLUSTER: Final = cluster_of("item.cluster_key")
"""SQL: the name of an `item`'s cluster, by the cluster key that is stored with the item."""

_OWN_DOING: Final = f"({', '.join(repr(kind) for kind in OWN_DOING)})"
# A turn that was not asked because the model failed an earlier turn also counts as the model's fault.
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
"""SQL condition: an `item` has no answer because the model refused or gave a malformed answer, to this turn or to an
earlier turn of the conversation. A comparison counts such an answer as 0; any other missing answer stays missing."""
