"""The figures of a run by blocks: who changes results marks their blocks, who reads has the marked ones counted again.

Counting reads the block's version first and its items after that: what was committed between is counted now and once
more later, and nothing is missed. So neither waits for the other.
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
    func,
    insert,
    literal,
    select,
    text,
    update,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from llmbench.contracts.run_words import RunStatus
from llmbench.db import tables as t
from orchestrator.adapters.block_counts import COUNT_ITEMS, COUNT_SCORES
from orchestrator.domain.blocks import Blocks

_OUTDATED: Final = -2
"""No place of an evaluator: a block that says so is counted before the run's figures are shown."""
BATCH: Final = 20
"""So many blocks are counted in one transaction: some tenths of a second."""
ACTIVE: Final = (RunStatus.RUNNING, RunStatus.PAUSING)

# Those never counted come first, and those counted when another evaluator spoke for the run.
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
    SELECT DISTINCT run_block.run_id
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
    """Of a new run."""
    numbers = select(literal(run_id, Uuid), func.generate_series(0, blocks.count - 1))
    await connection.execute(insert(t.run_block).from_select(["run_id", "block"], numbers))


async def mark_changed(connection: AsyncConnection, run_id: UUID, score_ids: Sequence[UUID]) -> None:
    """The blocks of these scores, in the transaction that changes them; `saving` marks those it saves itself."""
    await connection.execute(_MARK, {"run_id": run_id, "ids": list(score_ids)})


async def mark_all_changed(connection: AsyncConnection, run_id: UUID) -> None:
    of_run = update(t.run_block).where(t.run_block.c.run_id == run_id)
    await connection.execute(of_run.values(version=t.run_block.c.version + 1))


async def recount_all(connection: AsyncConnection, run_id: UUID) -> None:
    """Have all blocks counted before any are summed: what was counted before does not go with what will be."""
    await mark_all_changed(connection, run_id)
    of_run = update(t.counted_block).where(t.counted_block.c.run_id == run_id)
    await connection.execute(of_run.values(evaluators=_OUTDATED))


async def hold_counts(connection: AsyncConnection, run_id: UUID) -> None:
    """One counts a run at a time, or deletes it; until the end of the transaction."""
    lock = text("SELECT pg_advisory_xact_lock(hashtextextended('counts of ' || :run_id, 0))")
    await connection.execute(lock, {"run_id": str(run_id)})


async def stale_runs(engine: AsyncEngine) -> list[UUID]:
    async with engine.connect() as connection:
        return list((await connection.execute(text(_STALE_RUNS))).scalars())


async def freshen(engine: AsyncEngine, run_ids: Sequence[UUID]) -> None:
    """Count again what has changed. Of a run that is active and large some blocks may be left as they were a moment
    ago: they are counted before long, by whoever looks next or by the service itself."""
    async with engine.connect() as connection:
        stale = list((await connection.execute(_STALE_AMONG, {"run_ids": list(run_ids)})).scalars())
    for run_id in stale:
        while await count_some(engine, run_id) is Left.WRONG:
            pass


class Left(Enum):
    """What is still to be counted of a run: maybe some blocks that are as they were a moment ago, or blocks without
    which its figures would be wrong."""

    NOTHING = "nothing"
    BEHIND = "behind"
    WRONG = "wrong"


async def count_some(engine: AsyncEngine, run_id: UUID) -> Left:
    """Count `BATCH` blocks, those that matter most first."""
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
