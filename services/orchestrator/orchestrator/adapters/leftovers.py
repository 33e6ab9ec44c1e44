"""Which of what is on NATS belongs to runs that are not over."""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.contracts.run_words import RunStatus
from llmbench.db import tables as t
from orchestrator.ports.lanes import OnNats

_OVER = (RunStatus.FINISHED, RunStatus.CANCELLED)


async def needed_of(connection: AsyncConnection, found: OnNats) -> OnNats:
    not_over = t.run.c.status.not_in(_OVER)
    runs = select(t.run.c.id).where(not_over, t.run.c.id.in_(list(found.runs)))
    groups = select(t.run_group.c.token).join(t.run, t.run.c.id == t.run_group.c.run_id)
    lanes = groups.where(not_over, t.run_group.c.token.in_(list(found.lane_tokens)))
    return OnNats(
        runs=set((await connection.execute(runs)).scalars()),
        lane_tokens=set((await connection.execute(lanes)).scalars()),
    )
