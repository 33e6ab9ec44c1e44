"""Measure how far the judges of a run's panels agree."""

from typing import Final
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from orchestrator.results.domain.agreement import Agreement, Ratings, agreement

# One row per panel, with a null `target_id`, and one row per panel and target. The variance within an answer is
# repeated for each of its ratings, so that the mean weights an answer by its number of judges.
_RATINGS: Final = text(
    """
    WITH rating AS (
        SELECT panel.evaluator_revision_id AS revision_id, item.target_id, score.item_id, score.normalised,
               count(*) OVER one AS judges, var_samp(score.normalised) OVER one AS variance
        FROM run_evaluator AS panel
        JOIN score ON score.run_id = panel.run_id AND score.evaluator_revision_id = ANY (panel.members)
        JOIN item ON item.id = score.item_id
        WHERE panel.run_id = :run_id AND score.normalised IS NOT NULL
        WINDOW one AS (PARTITION BY panel.evaluator_revision_id, score.item_id)
    )
    SELECT revision_id, target_id, count(DISTINCT item_id) AS answers,
           avg(variance) AS within, var_samp(normalised) AS overall, min(normalised) AS least, max(normalised) AS most,
           sum(sqrt(variance) / judges) / count(DISTINCT item_id) AS mean_spread
    FROM rating WHERE judges > 1 GROUP BY GROUPING SETS ((revision_id), (revision_id, target_id))
    """
)


async def agreements(connection: AsyncConnection, run_id: UUID) -> dict[tuple[UUID, UUID | None], Agreement]:
    """Return how far the judges of each panel agree, by the ids of the panel's revision and of the target. The target
    `None` stands for all targets together. An entry is missing if no answer was scored by two judges of the panel."""
    rows = (await connection.execute(_RATINGS, {"run_id": run_id})).mappings()
    return {
        (row["revision_id"], row["target_id"]): agreement(
            Ratings(**{name: row[name] for name in ("answers", "within", "overall", "least", "most", "mean_spread")})
        )
        for row in rows
    }
