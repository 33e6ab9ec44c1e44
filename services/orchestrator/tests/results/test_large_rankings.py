"""Test when a background task ranks the targets of a large run: after a change of the run. An active run changes
constantly, so the task pauses between two rankings of it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

from run_world import World
from sqlalchemy import text

from llmbench.ids import DEFAULT_ORG_ID
from orchestrator.results.adapters.changes import hold_ranking
from orchestrator.results.adapters.ranking import LARGE_ITEMS, rankings_due

LARGE = f"UPDATE run SET item_count = {LARGE_ITEMS + 1} WHERE id = :run_id"
RANKED = """
    INSERT INTO run_ranking (run_id, version, body, counted_at, took_s)
    SELECT run_id, sum(version), '{}', now(), 3600 FROM run_block WHERE run_id = :run_id GROUP BY run_id
"""
CHANGED = "UPDATE run_block SET version = version + 1 WHERE run_id = :run_id"


async def change(world: World, run_id: UUID, *statements: str) -> None:
    async with world.engine.begin() as connection:
        for statement in statements:
            await connection.execute(text(statement), {"run_id": run_id})


@asynccontextmanager
async def unranked(world: World) -> AsyncIterator[UUID]:
    """Yield a finished run without a ranking. A lock keeps background tasks from ranking it meanwhile."""
    run_id = await world.start("model-a")
    await world.until_status(run_id, "FINISHED")
    async with world.engine.begin() as connection:
        await hold_ranking(connection, run_id)
        await change(world, run_id, "DELETE FROM run_ranking WHERE run_id = :run_id")
        yield run_id


async def test_large_run_is_due_for_ranking_until_ranked_and_again_after_a_change(world: World) -> None:
    async with unranked(world) as run_id:
        assert await rankings_due(world.engine) == [], "a small run is ranked for whoever looks"
        await change(world, run_id, LARGE)
        assert await rankings_due(world.engine) == [(run_id, DEFAULT_ORG_ID)]
        await change(world, run_id, RANKED)
        assert await rankings_due(world.engine) == []
        await change(world, run_id, CHANGED)
        assert await rankings_due(world.engine) == [(run_id, DEFAULT_ORG_ID)]


async def test_active_large_run_pauses_between_rankings_as_long_as_one_took(world: World) -> None:
    async with unranked(world) as run_id:
        active = "UPDATE run SET status = 'RUNNING', outcome = NULL, finished_at = NULL, took_s = 0 WHERE id = :run_id"
        await change(world, run_id, LARGE, active, RANKED, CHANGED)
        assert await rankings_due(world.engine) == []
        # The table `run` has a column `took_s`, too, and the query must use the one of `run_ranking`.
        worked = "UPDATE run SET took_s = 3600 WHERE id = :run_id"
        await change(world, run_id, worked, "UPDATE run_ranking SET took_s = -1 WHERE run_id = :run_id")
        assert await rankings_due(world.engine) == [(run_id, DEFAULT_ORG_ID)]
