"""Delete a run with all its rows, in one transaction."""

from typing import Any
from uuid import UUID

from sqlalchemy import Row, delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.contracts.run_words import RunStatus
from llmbench.db import tables as t
from llmbench.errors import Problem
from orchestrator.results.adapters.changes import hold_counts, hold_ranking
from orchestrator.runs.ports.store import Deleted

_ACTIVE = (RunStatus.RUNNING, RunStatus.PAUSING)
_OVER = (RunStatus.FINISHED, RunStatus.CANCELLED)


async def delete_run(connection: AsyncConnection, run_id: UUID) -> Deleted | None:
    """Implement `RunStore.delete`."""
    row = await lock_run(connection, run_id)
    if row is None:
        return None
    if row.status in _ACTIVE:
        raise Problem(
            409,
            "The run is active",
            f"'{row.name}' is {row.status}. Cancel it or pause it first, then delete it.",
            extra={"run_status": row.status},
        )
    check = await lock_checks(connection, run_id)
    if check is not None:
        raise Problem(
            409,
            "The judge of the run is being checked",
            f"'{check.name}' is {check.status}, and belongs to '{row.name}'. Cancel it or wait for its end, then "
            "delete the run.",
            extra={"run_status": row.status},
        )
    label = await label_of(connection, run_id)
    if label is not None:
        raise Problem(
            409,
            "The run is a baseline",
            f"'{row.name}' is the baseline or the anchor '{label}'. Promote another run there (as anchor, too), or "
            "delete that baseline, then delete the run.",
        )
    return await delete_locked(connection, run_id)


async def label_of(connection: AsyncConnection, run_id: UUID) -> str | None:
    """Return the label of a baseline that has this run as baseline or anchor; `None` if there is none."""
    used = (t.baseline.c.run_id == run_id) | (t.baseline.c.anchor_run_id == run_id)
    label: str | None = (
        await connection.execute(select(t.baseline.c.label).where(used).order_by(t.baseline.c.id).limit(1))
    ).scalar()
    return label


async def lock_run(connection: AsyncConnection, run_id: UUID) -> "Row[Any, Any] | None":
    """Lock a run until the end of the transaction. Return its name and status; `None` if there is no such run.

    While the run is locked, no other transaction can change it, store its statistics, or make it the baseline of a run.
    """
    await hold_counts(connection, run_id)
    await hold_ranking(connection, run_id)
    locked = select(t.run.c.name, t.run.c.status).where(t.run.c.id == run_id).with_for_update()
    return (await connection.execute(locked)).one_or_none()


async def lock_checks(connection: AsyncConnection, run_id: UUID) -> "Row[Any, Any] | None":
    """Lock the judge checks of a locked run. Return one that is active; `None` if none is."""
    checks = select(t.run.c.id).where(t.run.c.check_of_run_id == run_id).order_by(t.run.c.id)
    locked = [await lock_run(connection, check_id) for check_id in (await connection.execute(checks)).scalars().all()]
    return next((check for check in locked if check is not None and check.status in _ACTIVE), None)


async def delete_locked(connection: AsyncConnection, run_id: UUID) -> Deleted:
    """Delete a locked run with its locked judge checks, none of which is active."""
    checks = select(t.run.c.id).where(t.run.c.check_of_run_id == run_id)
    ids = [run_id, *(await connection.execute(checks)).scalars()]
    of_run = select(t.run_group.c.token).where(t.run_group.c.run_id.in_(ids), t.run_group.c.opened_at.is_not(None))
    of_run = of_run.where(t.run_group.c.token.is_not(None))
    elsewhere = (
        select(t.run_group.c.token)
        .join(t.run, t.run.c.id == t.run_group.c.run_id)
        .where(t.run.c.id.not_in(ids), t.run.c.status.not_in(_OVER), t.run_group.c.token.is_not(None))
    )
    tokens = list((await connection.execute(of_run.where(t.run_group.c.token.not_in(elsewhere)))).scalars())
    # Delete the rows of the largest tables first, by index. Deleting the run deletes all other rows by cascade, also
    # its model calls, which only the gateway may write.
    for table in (t.score, t.item, t.run_event):
        await connection.execute(delete(table).where(table.c.run_id.in_(ids)))
    for id_ in ids:
        await connection.execute(delete(t.run_outbox).where(t.run_outbox.c.subject.contains(str(id_))))
    await connection.execute(delete(t.run).where(t.run.c.id == run_id))
    return Deleted(run_ids=ids, lane_tokens=tokens)
