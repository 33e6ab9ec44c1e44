"""Read the scores of stored answers: those of the baseline, and those of a judge check."""

from collections.abc import Sequence
from statistics import fmean
from typing import Final
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from orchestrator.baselines.domain.judge_drift import REPEATS, Anchor

# A score of the check, by the place of its answer among the stored ones, with the stored score of the same revision.
_SCORES: Final = text(
    """
    SELECT item.position % :answers AS place, stored.normalised AS stored,
        array_agg(again.normalised ORDER BY item.position) AS again
    FROM item
    JOIN score AS again ON again.item_id = item.id AND again.status = 'SCORED'
    JOIN run_evaluator ON run_evaluator.run_id = again.run_id AND run_evaluator.primary
        AND run_evaluator.evaluator_revision_id = again.evaluator_revision_id
    JOIN score AS stored ON stored.item_id = (CAST(:items AS uuid[]))[item.position % :answers + 1]
        AND stored.evaluator_revision_id = again.evaluator_revision_id AND stored.status = 'SCORED'
    WHERE item.run_id = :run_id
    GROUP BY place, again.evaluator_revision_id, stored.normalised
    """
)


async def anchors_of(connection: AsyncConnection, check_run_id: UUID, item_ids: Sequence[UUID]) -> list[Anchor]:
    """Return the scores of each stored answer that was scored in every repeat. Where several evaluators score it, each
    score is their mean."""
    parameters = {"run_id": check_run_id, "items": list(item_ids), "answers": len(item_ids)}
    by_place: dict[int, list[Anchor]] = {}
    for row in await connection.execute(_SCORES, parameters):
        if len(row.again) == REPEATS:
            by_place.setdefault(row.place, []).append(Anchor(row.stored, row.again))
    return [
        Anchor(
            fmean(anchor.stored for anchor in anchors),
            [fmean(anchor.again[repeat] for anchor in anchors) for repeat in range(REPEATS)],
        )
        for _, anchors in sorted(by_place.items())
    ]
