"""Choose the primary revision of each evaluator of a run. Only this module changes `run_evaluator.primary` of existing
rows.

A slot is an evaluator's name in the run. Its revisions answer the same question by different judges. The first revision
of a slot is its primary revision. Another revision replaces it in two cases: the user promotes that revision, or the
primary one has scored nothing at the end of the run (docs/decisions/0006).
"""

from typing import Final
from uuid import UUID

from sqlalchemy import Uuid, bindparam, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.contracts.run_words import ScoreStatus
from llmbench.db import tables as t
from orchestrator.results.adapters.changes import hold_counts, recount_all

_PROMOTABLE: Final = text(
    """
    WITH scoring AS (
        SELECT slot, evaluator_revision_id, whole, position FROM run_evaluator AS other
        WHERE run_id = :run_id AND NOT member AND NOT "primary" AND corrects IS NULL AND EXISTS (
            SELECT FROM score WHERE score.run_id = :run_id AND status = 'SCORED'
                   AND score.evaluator_revision_id = other.evaluator_revision_id
        )
    )
    SELECT DISTINCT ON (slot) slot, evaluator_revision_id FROM scoring
    WHERE NOT EXISTS (
        SELECT FROM run_evaluator AS present JOIN score USING (run_id, evaluator_revision_id)
        WHERE present.run_id = :run_id AND present.slot = scoring.slot AND present."primary"
              AND score.status = 'SCORED'
    )
    ORDER BY slot, whole DESC, position DESC
    """
).bindparams(bindparam("run_id", type_=Uuid))


async def has_primary(connection: AsyncConnection, run_id: UUID, slot: str) -> bool:
    of_slot = select(t.run_evaluator.c.slot).where(
        t.run_evaluator.c.run_id == run_id, t.run_evaluator.c.slot == slot, t.run_evaluator.c.primary
    )
    return bool((await connection.execute(select(of_slot.exists()))).scalar_one())


async def has_scored(connection: AsyncConnection, run_id: UUID, revision_id: UUID) -> bool:
    scored = select(t.score.c.id).where(
        t.score.c.run_id == run_id,
        t.score.c.evaluator_revision_id == revision_id,
        t.score.c.status == ScoreStatus.SCORED,
    )
    return bool((await connection.execute(select(scored.exists()))).scalar_one())


async def promotable(connection: AsyncConnection, run_id: UUID) -> list[tuple[str, UUID]]:
    """Return each slot (an evaluator's name in the run) whose primary revision scored nothing, with the id of the
    revision that should replace it.

    Only a revision that scored can replace it; slots without one are left out. A revision for the entire run is
    preferred to one for some items, and a later one to an earlier one.
    """
    rows = await connection.execute(_PROMOTABLE, {"run_id": run_id})
    return [(row.slot, row.evaluator_revision_id) for row in rows]


async def promote(connection: AsyncConnection, run_id: UUID, slot: str, revision_id: UUID) -> None:
    """Make the revision the primary one of its slot (an evaluator's name in the run), so that its scores count. Mark
    the run's statistics as outdated, so that they are recomputed before they are shown."""
    await hold_counts(connection, run_id)
    evaluator = t.run_evaluator.c
    of_slot = update(t.run_evaluator).where(evaluator.run_id == run_id, evaluator.slot == slot)
    # Reset the previous primary revision first: a unique index allows only one per slot.
    await connection.execute(of_slot.where(evaluator.primary).values(primary=False))
    await connection.execute(of_slot.where(evaluator.evaluator_revision_id == revision_id).values(primary=True))
    await recount_all(connection, run_id)
