"""An item's overall score, and what it is no independent result of, as parts of queries.

Of each evaluator the judge that was asked last about the whole run speaks for it. An item's value is the weighted mean
over the evaluators, if each of those with a weight has scored it.
"""

from typing import Final

SPEAKING: Final = """
    speaking AS (
        SELECT DISTINCT ON (run_id, slot) run_id, evaluator_revision_id, weight
        FROM run_evaluator WHERE run_id {runs} AND whole AND NOT member ORDER BY run_id, slot, position DESC
    )
"""
OVERALL: Final = f"""
    {SPEAKING}, overall AS (
        SELECT score.run_id, item_id, sum(weight * normalised) / nullif(sum(weight), 0) AS value,
               bool_and(passed) AS verdict
        FROM score JOIN speaking USING (run_id, evaluator_revision_id)
        WHERE score.run_id {{runs}} AND status = 'SCORED'
        GROUP BY score.run_id, item_id
        HAVING count(*) FILTER (WHERE weight > 0)
            = (SELECT count(*) FROM speaking AS all_ WHERE all_.run_id = score.run_id AND all_.weight > 0)
    )
"""  # noqa: S608  # made of constants

CLUSTER: Final = "CASE WHEN item.conversation_id IS NULL THEN 't' || item.task_id ELSE 'c' || item.conversation_id END"
"""Answers to turns of one conversation are not independent of each other, nor those to epochs of one task."""
