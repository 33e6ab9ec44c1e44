"""Add tags to runs and remove tags from them, in one transaction."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.db import tables as t
from orchestrator.kernel.domain.refusal import no_runs
from orchestrator.runs.domain.tags import TagChange, tagged


async def tag_runs(connection: AsyncConnection, run_ids: Sequence[UUID], change: TagChange) -> int:
    """Change the tags of the runs. Return how many runs have different tags now. Raises a 404 `Problem` if a run does
    not exist, and a 422 if a run would have too many tags."""
    # All requests lock the runs in the same order, so that none waits for another in a circle.
    locked = select(t.run.c.id, t.run.c.name, t.run.c.tags).where(t.run.c.id.in_(run_ids)).order_by(t.run.c.id)
    rows = (await connection.execute(locked.with_for_update())).all()
    missing = set(run_ids) - {row.id for row in rows}
    if missing:
        raise no_runs(sorted(missing))
    changed = tagged({row.id: (row.name, row.tags) for row in rows}, change)
    for run_id, tags in changed.items():
        await connection.execute(update(t.run).where(t.run.c.id == run_id).values(tags=tags))
    return len(changed)
