"""Find out from PostgreSQL which data on NATS is still needed: runs with queued commands, and lanes.

A lane is the queue of the calls to one model. Several runs may use it.
"""

from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.contracts.run_words import RunStatus
from llmbench.db import tables as t
from orchestrator.kernel.domain.records import Group
from orchestrator.runs.ports.lanes import OnNats

_ACTIVE = (RunStatus.RUNNING, RunStatus.PAUSING)
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


async def lane_in_use(connection: AsyncConnection, group: Group, *, besides: UUID) -> bool:
    if group.lane is None:
        return False
    query = (
        select(t.run_group.c.id)
        .join(t.run, t.run.c.id == t.run_group.c.run_id)
        .where(t.run_group.c.token == group.lane.token, t.run.c.id != besides, t.run.c.status.in_(_ACTIVE))
        .where(t.run_group.c.opened_at.is_not(None), t.run_group.c.closed_at.is_(None))
    )
    return (await connection.execute(query.limit(1))).first() is not None
