"""Delete one run or several with all their rows, in one transaction."""

from collections.abc import Sequence
from typing import Any, Final
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
_NAMED: Final = 5
"""The maximum number of runs for which a refused deletion says why they cannot be deleted."""


async def delete_run(connection: AsyncConnection, run_id: UUID) -> Deleted | None:
    """Delete a run with all its data and its judge checks. Return what was deleted; `None` if there is no such run.
    Raises a 409 `Problem` if the run cannot be deleted (see `RunStore.delete`)."""
    row = await lock_run(connection, run_id)
    if row is None:
        return None
    refusal = await _refusal(connection, run_id, row)
    if refusal is not None:
        raise refusal
    return await delete_locked(connection, run_id)


async def delete_runs(connection: AsyncConnection, run_ids: Sequence[UUID]) -> list[Deleted]:
    """Delete those of the runs that exist, and return what was deleted. Raises a 409 `Problem` if one of them cannot be
    deleted; none is deleted then (see `RunStore.delete_all`)."""
    checks = select(t.run.c.id).where(t.run.c.check_of_run_id.in_(run_ids))
    every = sorted({*run_ids, *(await connection.execute(checks)).scalars()})
    # All requests lock runs and their judge checks in the same order, so that none waits for another in a circle.
    rows = {run_id: await lock_run(connection, run_id) for run_id in every}
    locked = {run_id: row for run_id in sorted(run_ids) if (row := rows[run_id]) is not None}
    refused = [
        (run_id, row.name, refusal.detail)
        for run_id, row in locked.items()
        if (refusal := await _refusal(connection, run_id, row)) is not None
    ]
    if refused:
        raise _refused(refused)
    return [await delete_locked(connection, run_id) for run_id in locked]


def _refused(refused: Sequence[tuple[UUID, str, str]]) -> Problem:
    reasons = [why for _, _, why in refused[:_NAMED]]
    more = [f"{len(refused) - _NAMED} more runs cannot be deleted."] if len(refused) > _NAMED else []
    return Problem(
        409,
        "Some runs cannot be deleted",
        " ".join(["No run was deleted.", *reasons, *more]),
        extra={"refused": [{"run_id": str(run_id), "name": name, "reason": why} for run_id, name, why in refused]},
    )


async def _refusal(connection: AsyncConnection, run_id: UUID, row: "Row[Any, Any]") -> Problem | None:
    """Return the `Problem` that refuses to delete the run; `None` if the run can be deleted. `row` has the run's name
    and status.

    The caller has locked the run. This function also locks its judge checks, the runs that test its judge.
    """
    if row.status in _ACTIVE:
        return Problem(
            409,
            "The run is active",
            f"'{row.name}' is {row.status}. Cancel it or pause it first, then delete it.",
            extra={"run_status": row.status},
        )
    check = await lock_checks(connection, run_id)
    if check is not None:
        return Problem(
            409,
            "The judge of the run is being checked",
            f"'{check.name}' is {check.status}, and belongs to '{row.name}'. Cancel it or wait for its end, then "
            "delete the run.",
            extra={"run_status": row.status},
        )
    label = await label_of(connection, run_id)
    if label is not None:
        return Problem(
            409,
            "The run is a baseline",
            f"'{row.name}' is the baseline or the anchor '{label}'. Promote another run there (as anchor, too), or "
            "delete that baseline, then delete the run.",
        )
    return None


async def label_of(connection: AsyncConnection, run_id: UUID) -> str | None:
    """Return the label, such as `main`, of a baseline whose run or whose anchor is this run; `None` if there is
    none."""
    used = (t.baseline.c.run_id == run_id) | (t.baseline.c.anchor_run_id == run_id)
    label: str | None = (
        await connection.execute(select(t.baseline.c.label).where(used).order_by(t.baseline.c.id).limit(1))
    ).scalar()
    return label


async def lock_run(connection: AsyncConnection, run_id: UUID) -> "Row[Any, Any] | None":
    """Lock a run until the end of the transaction. Return its name and status; `None` if there is no such run.

    While the run is locked, no other transaction can change it, store its statistics, or make it a baseline.
    """
    await hold_counts(connection, run_id)
    await hold_ranking(connection, run_id)
    locked = select(t.run.c.name, t.run.c.status).where(t.run.c.id == run_id).with_for_update()
    return (await connection.execute(locked)).one_or_none()


async def lock_checks(connection: AsyncConnection, run_id: UUID) -> "Row[Any, Any] | None":
    """Lock the judge checks of a locked run: the runs that test its judge. Return the row of an active judge check;
    `None` if no judge check is active."""
    checks = select(t.run.c.id).where(t.run.c.check_of_run_id == run_id).order_by(t.run.c.id)
    locked = [await lock_run(connection, check_id) for check_id in (await connection.execute(checks)).scalars().all()]
    return next((check for check in locked if check is not None and check.status in _ACTIVE), None)


async def delete_locked(connection: AsyncConnection, run_id: UUID) -> Deleted:
    """Delete a run and its judge checks, the runs that test its judge. The caller has locked all of them, and no judge
    check is active."""
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
