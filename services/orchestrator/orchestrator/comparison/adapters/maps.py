"""Read the data of the two charts of a comparison. One chart shows the mean score of each target in each category. The
other shows how often each pair of scores occurs, one score by the baseline and one by another target."""

from collections.abc import Sequence

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from orchestrator.comparison.adapters import pairing
from orchestrator.comparison.adapters.paired_cells import SCORE, cells
from orchestrator.comparison.ports.comparison import Column
from orchestrator.comparison.ports.maps import BINS, CategoryMap, ComparedCategory, ScoreBin, ScorePair, ScorePairs

# The category of a case is the baseline's, as in the list of cases, so that a link to the list finds the same cases.
_CATEGORIES = f"""
    WITH {cells(SCORE, by_key=False)}, one AS (
        SELECT task_id, (array_agg(category ORDER BY place <> :baseline, place))[1] AS category,
               count(*) FILTER (WHERE fair AND value IS NOT NULL) = :compared AS shared
        FROM cell GROUP BY task_id
    ), counted AS (
        SELECT category, count(*) AS cases, count(*) FILTER (WHERE shared) AS shared FROM one GROUP BY category
    ), mean AS (
        SELECT one.category, place, round(avg(value), 9) AS score
        FROM cell JOIN one USING (task_id) WHERE shared AND fair GROUP BY one.category, place
    ), spread AS (
        SELECT category, max(score) - min(score) AS spread, jsonb_object_agg(place, score) AS scores
        FROM mean GROUP BY category
    )
    SELECT category, cases, shared, spread, scores, count(*) OVER () AS total
    FROM counted LEFT JOIN spread USING (category) ORDER BY spread DESC NULLS LAST, category LIMIT :limit
"""  # noqa: S608  # made of constants


def bin_of(value: str) -> str:
    """Return an SQL expression for the bin of a score: a whole number from 0 to `BINS`. `value` is the SQL expression
    of the score, which is from 0 to 1."""
    return f"round({value} * {BINS})"


_PAIRS = f"""
    WITH {cells(SCORE, by_key=False)}
    SELECT {bin_of("base.value")} AS baseline_bin, {bin_of("cell.value")} AS here_bin, count(*) AS cases,
           avg(base.value) AS baseline, avg(cell.value) AS here
    FROM cell JOIN base USING (task_id)
    WHERE cell.place = :column AND fair AND cell.value IS NOT NULL AND base.value IS NOT NULL
    GROUP BY 1, 2 ORDER BY 1, 2
"""  # noqa: S608


async def categories(
    connection: AsyncConnection, columns: Sequence[Column], *, baseline: int, limit: int
) -> CategoryMap:
    measure = columns[baseline].judge
    fair = [
        measure is not None and column.judge is not None and column.judge.scoring == measure.scoring
        for column in columns
    ]
    given = pairing.given(columns, [baseline] * len(columns))
    given |= {"baseline": baseline, "compared": max(1, sum(fair)), "limit": limit}
    rows = (await connection.execute(text(_CATEGORIES), given)).all()
    return CategoryMap(
        compared=fair,
        total=rows[0].total if rows else 0,
        categories=[
            ComparedCategory(
                category=row.category,
                cases=row.cases,
                shared=row.shared,
                spread=None if row.spread is None else float(row.spread),
                scores=[(row.scores or {}).get(str(place)) for place in range(len(columns))],
            )
            for row in rows
        ],
    )


async def score_pairs(
    connection: AsyncConnection, columns: Sequence[Column], *, baseline: int, column: int
) -> ScorePairs:
    given = pairing.given(columns, [baseline] * len(columns)) | {"column": column}
    rows = (await connection.execute(text(_PAIRS), given)).all()
    return ScorePairs(
        cases=sum(row.cases for row in rows),
        pairs=[
            ScorePair(
                bin=ScoreBin(baseline=int(row.baseline_bin), here=int(row.here_bin)),
                baseline=float(row.baseline),
                here=float(row.here),
                cases=row.cases,
            )
            for row in rows
        ],
    )
