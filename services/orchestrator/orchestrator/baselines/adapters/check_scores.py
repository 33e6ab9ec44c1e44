"""Read the scores of a baseline's stored answers: the stored scores, and the new scores from a judge check."""

from collections.abc import Sequence
from statistics import fmean
from typing import Final
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from orchestrator.baselines.domain.judge_drift import REPEATS, JudgedAgain

# Read the new scores of the stored answers, each with the stored score by the same revision. `place` is the index of
# the stored answer in `items`.
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


async def judged_again(connection: AsyncConnection, check_run_id: UUID, item_ids: Sequence[UUID]) -> list[JudgedAgain]:
    """Return the stored score and the new scores of each stored answer in `item_ids`.

    An answer is left out if no evaluator scored it in every repeat of the check. If several evaluators did, the stored
    score is the mean of their stored scores, and each new score the mean of their scores in one repeat.
    """
    parameters = {"run_id": check_run_id, "items": list(item_ids), "answers": len(item_ids)}
    by_place: dict[int, list[JudgedAgain]] = {}
    for row in await connection.execute(_SCORES, parameters):
        if len(row.again) == REPEATS:
            by_place.setdefault(row.place, []).append(JudgedAgain(row.stored, row.again))
    return [
        JudgedAgain(
            fmean(answer.stored for answer in answers),
            [fmean(answer.again[repeat] for answer in answers) for repeat in range(REPEATS)],
        )
        for _, answers in sorted(by_place.items())
    ]
