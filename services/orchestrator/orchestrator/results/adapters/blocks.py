"""Store the statistics of a run by blocks (see `kernel.domain.blocks`). A block is a range of cases whose statistics
are counted together. Before statistics are read, `freshen` recomputes the blocks that the module `changes` has marked.

The recount reads a block's version before it reads the block's items. If a change commits in between, the recount
includes it, and the block is counted once more later. So no change is missed. Writers and the recount never wait for
each other.
"""

from collections.abc import Sequence
from enum import Enum
from typing import Final
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    Integer,
    RowMapping,
    Uuid,
    bindparam,
    select,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from llmbench.contracts.run_words import RunStatus
from llmbench.db import tables as t
from llmbench.room import is_disk_full
from orchestrator.kernel.domain.blocks import Blocks
from orchestrator.results.adapters.block_counts import COUNT_ITEMS, COUNT_SCORES
from orchestrator.results.adapters.changes import hold_counts

BATCH: Final = 20
"""The maximum number of blocks that are counted in one transaction, which takes some tenths of a second."""
ACTIVE: Final = (RunStatus.RUNNING, RunStatus.PAUSING)

# Blocks with wrong statistics come first: never counted, or counted while the run had other evaluators.
_STALE: Final = text(
    """
    SELECT run_block.block, run_block.version, evaluators.last AS evaluators,
           counted_block.run_id IS NULL OR counted_block.evaluators <> evaluators.last AS missing
    FROM run_block LEFT JOIN counted_block USING (run_id, block)
    CROSS JOIN (
        SELECT coalesce(max(position), -1) AS last FROM run_evaluator WHERE run_id = :run_id AND whole
    ) AS evaluators
    WHERE run_block.run_id = :run_id AND counted_block.version IS DISTINCT FROM run_block.version
    ORDER BY missing DESC, block LIMIT :limit
    """
)
_STALE_RUNS: Final = """
    SELECT DISTINCT run_block.run_id, run_block.org_id
    FROM run_block LEFT JOIN counted_block USING (run_id, block)
    WHERE counted_block.version IS DISTINCT FROM run_block.version
"""
_STALE_AMONG: Final = text(f"{_STALE_RUNS} AND run_block.run_id = ANY(:run_ids)").bindparams(
    bindparam("run_ids", type_=ARRAY(Uuid))
)
_COUNTED: Final = text(
    """
    INSERT INTO counted_block (run_id, block, version, evaluators)
    SELECT :run_id, block, version, :evaluators FROM unnest(:blocks, :versions) AS counted (block, version)
    ON CONFLICT (run_id, block) DO UPDATE SET version = excluded.version, evaluators = excluded.evaluators
    """
).bindparams(
    bindparam("run_id", type_=Uuid),
    bindparam("blocks", type_=ARRAY(Integer)),
    bindparam("versions", type_=ARRAY(BigInteger)),
    bindparam("evaluators", type_=Integer),
)

_BEST: Final = text(
    """
    UPDATE counted_block SET best_score = (
        SELECT max(mean) FROM (
            SELECT sum(x) / nullif(sum(scored), 0)::float8 AS mean
            FROM block_figure WHERE run_id = :run_id AND target_id IS NOT NULL GROUP BY target_id
        ) AS target_mean
    )
    WHERE run_id = :run_id AND block = 0
    """
)


async def stale_runs(everybody: AsyncEngine) -> list[tuple[UUID, UUID]]:
    """Return the runs of all organisations whose stored statistics are outdated. Each entry is a pair: the id of the
    run, and the id of its organisation."""
    async with everybody.connect() as connection:
        return [(row.run_id, row.org_id) for row in await connection.execute(text(_STALE_RUNS))]


async def freshen(engine: AsyncEngine, run_ids: Sequence[UUID]) -> None:
    """Recompute the statistics of the runs' changed blocks (ranges of cases).

    Some blocks of a large active run may stay slightly outdated; the next reader or the background task counts them
    soon. While the disk is full, nothing is recomputed.
    """
    async with engine.connect() as connection:
        stale = list((await connection.execute(_STALE_AMONG, {"run_ids": list(run_ids)})).scalars())
    for run_id in stale:
        try:
            while await count_some(engine, run_id) is Left.WRONG:
                pass
        except DBAPIError as error:
            if not is_disk_full(error):
                raise
            return


class Left(Enum):
    """The work that remains after `count_some`. A block is a range of cases whose statistics are counted together.

    - NOTHING: all blocks are counted.
    - BEHIND: the run is active, and its statistics may be read, though some blocks lack the latest changes.
    - WRONG: the statistics must not be read yet. Either the run is not active, so that they have to be exact, or some
      blocks have wrong statistics (see `count_some`).
    """

    NOTHING = "nothing"
    BEHIND = "behind"
    WRONG = "wrong"


async def count_some(engine: AsyncEngine, run_id: UUID) -> Left:
    """Recompute the statistics of up to `BATCH` changed blocks (ranges of cases) of the run. Return what work remains.

    Blocks whose statistics are wrong come first. They were never counted, were invalidated, or were counted before
    another evaluator joined the run. The statistics of the other changed blocks are only slightly outdated.
    """
    async with engine.begin() as connection:
        await hold_counts(connection, run_id)
        run = (await connection.execute(select(t.run).where(t.run.c.id == run_id))).mappings().one_or_none()
        stale = (await connection.execute(_STALE, {"run_id": run_id, "limit": BATCH})).mappings().all()
        if run is None or not stale:
            return Left.NOTHING
        await _count(connection, run, stale)
    if len(stale) < BATCH:
        return Left.NOTHING
    return Left.WRONG if run["status"] not in ACTIVE or stale[-1]["missing"] else Left.BEHIND


async def _count(connection: AsyncConnection, run: RowMapping, stale: Sequence[RowMapping]) -> None:
    blocks = Blocks(run["case_count"], run["item_count"] // run["case_count"], run["block_cases"])
    numbers = [row["block"] for row in stale]
    ranges = [(block, first, last) for block in numbers for first, last in blocks.ranges(block)]
    of_blocks = {"run_id": run["id"], "blocks": numbers}
    for table in (t.block_cluster, t.block_figure, t.block_score_figure):
        old = table.delete().where(table.c.run_id == run["id"], table.c.block.in_(numbers))
        await connection.execute(old)
    versions = [row["version"] for row in stale]
    await connection.execute(_COUNTED, of_blocks | {"versions": versions, "evaluators": stale[0]["evaluators"]})
    in_ranges = dict(zip(("blocks", "firsts", "lasts"), map(list, zip(*ranges, strict=True)), strict=True))
    for query in (COUNT_ITEMS, COUNT_SCORES):
        await connection.execute(query, {"run_id": run["id"]} | in_ranges)
    await connection.execute(_BEST, {"run_id": run["id"]})
