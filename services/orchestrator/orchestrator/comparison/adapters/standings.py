"""Compute the mean scores of columns (targets of runs) over the cases that are scored in every column: over all these
cases, and per category or suite task."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from orchestrator.comparison.adapters.paired_cells import SCORE
from orchestrator.comparison.ports.comparison import Column
from orchestrator.comparison.ports.pairs import SharedScores
from orchestrator.kernel.adapters.primary_revision import with_primary_revisions

# The value of a case is the mean over its epochs. Items of a suite run are grouped by the task of the suite, others by
# their category. A case with several categories counts under the alphabetically first.
_SHARED: Final = text(f"""
    WITH chosen AS (
        SELECT run_id, target_id, place - 1 AS place
        FROM unnest(CAST(:runs AS uuid[]), CAST(:targets AS uuid[])) WITH ORDINALITY AS given (run_id, target_id, place)
    ), {with_primary_revisions("IN (SELECT run_id FROM chosen)")}, cell AS MATERIALIZED (
        SELECT place, item.task_id, min(coalesce(item.suite_task, item.category)) AS category,
               round(CAST(avg({SCORE.value}) AS numeric), 9) AS value
        FROM chosen
        JOIN item ON item.run_id = chosen.run_id AND item.target_id = chosen.target_id
        {SCORE.source}
        WHERE {SCORE.value} IS NOT NULL GROUP BY place, item.task_id
    ), shared AS (
        SELECT task_id, min(category) AS category FROM cell
        GROUP BY task_id HAVING count(*) = (SELECT count(*) FROM chosen)
    )
    SELECT shared.category, place, round(avg(value), 9) AS score, count(*) AS cases
    FROM cell JOIN shared USING (task_id)
    GROUP BY GROUPING SETS ((shared.category, place), (place)) ORDER BY shared.category, place
""")  # noqa: S608  # made of constants


async def shared_scores(connection: AsyncConnection, columns: Sequence[Column]) -> SharedScores:
    given = {"runs": [column.run_id for column in columns], "targets": [column.target_id for column in columns]}
    total: dict[int, float] = {}
    categories: dict[str, dict[int, float]] = {}
    cases = 0
    for row in await connection.execute(_SHARED, given):
        if row.category is None:
            total[row.place], cases = float(row.score), row.cases
        else:
            categories.setdefault(row.category, {})[row.place] = float(row.score)
    return SharedScores(
        cases=cases,
        overall=[total.get(place) for place in range(len(columns))],
        categories={name: [scores[place] for place in sorted(scores)] for name, scores in categories.items()},
    )
