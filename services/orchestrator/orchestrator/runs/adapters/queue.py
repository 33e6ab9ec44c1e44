"""Change the order of the queue, in one transaction that locks every queued run."""

from collections.abc import Callable, Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import Integer, Uuid, bindparam, select, text, update
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.contracts.run_event import RunEvent
from llmbench.contracts.run_logged import RunLogged
from llmbench.contracts.run_status_changed import RunStatusChanged
from llmbench.contracts.run_words import RunPhase, RunStatus
from llmbench.db import tables as t
from llmbench.errors import Problem
from orchestrator.kernel.adapters.queue import ORDER
from orchestrator.kernel.domain.queue import Queued
from orchestrator.runs.adapters.event_log import publish

_SAVE = text(
    """
    UPDATE run SET priority = changed.priority, queue_place = changed.place
    FROM unnest(:ids, :priorities) WITH ORDINALITY AS changed (id, priority, place) WHERE run.id = changed.id
    """
).bindparams(bindparam("ids", type_=ARRAY(Uuid)), bindparam("priorities", type_=ARRAY(Integer)))


async def reorder(
    connection: AsyncConnection, run_id: UUID, change: Callable[[Sequence[Queued]], Sequence[Queued]], now: datetime
) -> bool:
    """Give the queue the order that `change` returns, and log that `run_id` was moved. Return `False` if there is no
    such run. Raises a 409 `Problem` if the run is not queued."""
    columns = (t.run.c.id, t.run.c.status)
    # Lock in the order of ids, so that two changes at once do not wait for each other. A run that starts meanwhile has
    # left the queue when its lock is granted.
    locking = select(t.run.c.id).where(t.run.c.status == RunStatus.QUEUED).order_by(t.run.c.id).with_for_update()
    locked = set((await connection.execute(locking)).scalars())
    if run_id not in locked:
        row = (await connection.execute(select(*columns).where(t.run.c.id == run_id))).one_or_none()
        if row is None:
            return False
        raise Problem(
            409,
            "The run is not queued",
            f"The run is {row.status}: only a QUEUED run has a place in the queue.",
            extra={"run_status": row.status},
        )
    query = select(t.run.c.id, t.run.c.priority).where(t.run.c.id.in_(locked)).order_by(*ORDER)
    before = [Queued(row.id, row.priority) for row in await connection.execute(query)]
    after = list(change(before))
    if after == before:
        return True
    values = {"ids": [run.id for run in after], "priorities": [run.priority for run in after]}
    await connection.execute(_SAVE, values)
    await _tell(connection, run_id, after, now)
    return True


async def _tell(connection: AsyncConnection, run_id: UUID, queue: Sequence[Queued], now: datetime) -> None:
    """Write the moved run's new position in the queue to its log. Also publish its status, so that clients reload their
    lists."""
    row = (await connection.execute(select(t.run.c.last_seq, t.run.c.phase).where(t.run.c.id == run_id))).one()
    position, run = next((place, run) for place, run in enumerate(queue, start=1) if run.id == run_id)
    events: list[RunEvent] = [
        RunStatusChanged(run_id=run_id, at=now, status=RunStatus.QUEUED, phase=RunPhase(row.phase)),
        RunLogged(run_id=run_id, at=now, text=f"moved to place {position} of the queue, priority {run.priority}"),
    ]
    last_seq = await publish(connection, run_id, events, [], last_seq=row.last_seq)
    await connection.execute(update(t.run).where(t.run.c.id == run_id).values(last_seq=last_seq))
