"""Mark the blocks of a run as changed, in the transaction that changes their results.

A block is a range of cases whose statistics are counted together. The package `runs` writes results and marks blocks;
the package `results` counts the marked blocks. This module is the only adapter of `results` that `runs` imports.
"""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from sqlalchemy import Uuid, bindparam, func, insert, literal, select, text, update
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.db import tables as t
from orchestrator.kernel.domain.blocks import Blocks

_OUTDATED: Final = -2
"""The value of `counted_block.evaluators` that marks the statistics of a block as invalid. It is no evaluator's
position, so the block is counted again before the run's statistics are read."""

_MARK: Final = text(
    """
    UPDATE run_block SET version = version + 1 WHERE run_id = :run_id AND block IN (
        SELECT score.position % run.case_count / run.block_cases
        FROM score JOIN run ON run.id = score.run_id
        WHERE score.id = ANY (:ids) AND run.case_count > 0
    )
    """
).bindparams(bindparam("run_id", type_=Uuid), bindparam("ids", type_=ARRAY(Uuid)))


async def create_blocks(connection: AsyncConnection, run_id: UUID, blocks: Blocks) -> None:
    """Insert a row for each block of a new run. A block is a range of cases whose statistics are counted together."""
    numbers = select(literal(run_id, Uuid), func.generate_series(0, blocks.count - 1))
    await connection.execute(insert(t.run_block).from_select(["run_id", "block"], numbers))


async def mark_changed(connection: AsyncConnection, run_id: UUID, score_ids: Sequence[UUID]) -> None:
    """Mark the blocks of these scores as changed. A block is a range of cases whose statistics are counted together.

    `runs.adapters.saving` does not call this, because it marks the blocks of its results itself.
    """
    await connection.execute(_MARK, {"run_id": run_id, "ids": list(score_ids)})


async def mark_all_changed(connection: AsyncConnection, run_id: UUID) -> None:
    of_run = update(t.run_block).where(t.run_block.c.run_id == run_id)
    await connection.execute(of_run.values(version=t.run_block.c.version + 1))


async def recount_all(connection: AsyncConnection, run_id: UUID) -> None:
    """Invalidate the stored statistics of a run. They are then counted again completely, because the sum of old and new
    statistics would be wrong."""
    await mark_all_changed(connection, run_id)
    of_run = update(t.counted_block).where(t.counted_block.c.run_id == run_id)
    await connection.execute(of_run.values(evaluators=_OUTDATED))


async def hold_counts(connection: AsyncConnection, run_id: UUID) -> None:
    """Lock the statistics of a run that are stored by blocks (ranges of cases), until the transaction ends. A
    transaction needs this lock to update these statistics or to delete the run."""
    lock = text("SELECT pg_advisory_xact_lock(hashtextextended('counts of ' || :run_id, 0))")
    await connection.execute(lock, {"run_id": str(run_id)})


async def hold_ranking(connection: AsyncConnection, run_id: UUID) -> None:
    """Lock the order statistics of a run, such as quantiles (see `ranking`), until the transaction ends. A transaction
    needs this lock to update these statistics or to delete the run."""
    lock = text("SELECT pg_advisory_xact_lock(hashtextextended('ranking of ' || :run_id, 0))")
    await connection.execute(lock, {"run_id": str(run_id)})
