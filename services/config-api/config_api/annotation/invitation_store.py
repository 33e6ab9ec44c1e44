"""Read and write `annotation_invitation`: one function per query, in the caller's transaction."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from sqlalchemy import Row, case, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.db.tables import annotation_invitation, annotation_task, annotator, organisation
from llmbench.ids import new_id

MOST_LISTED = 200

_STATUS = case(
    (annotation_invitation.c.revoked_at.is_not(None), "REVOKED"),
    (annotation_invitation.c.expires_at <= func.now(), "EXPIRED"),
    else_="OPEN",
)
_LISTED = select(
    annotation_invitation,
    annotation_invitation.c.id.label("invitation_id"),
    annotator.c.name.label("annotator"),
    _STATUS.label("status"),
).join(annotator, annotator.c.id == annotation_invitation.c.annotator_id)


async def insert_invitation(connection: AsyncConnection, values: Mapping[str, Any], *, hours: int) -> Row[Any]:
    id_ = new_id()
    expires_at = func.now() + func.make_interval(0, 0, 0, 0, hours)
    await connection.execute(insert(annotation_invitation).values(id=id_, expires_at=expires_at, **values))
    return (await connection.execute(_LISTED.where(annotation_invitation.c.id == id_))).one()


async def list_invitations(connection: AsyncConnection, task_id: UUID) -> list[Row[Any]]:
    query = _LISTED.where(annotation_invitation.c.task_id == task_id).order_by(annotation_invitation.c.id.desc())
    return list(await connection.execute(query.limit(MOST_LISTED)))


async def revoke(connection: AsyncConnection, task_id: UUID, id_: UUID) -> bool:
    """Revoke an invitation. Return false if the task has no invitation with this id."""
    statement = update(annotation_invitation).where(
        annotation_invitation.c.id == id_, annotation_invitation.c.task_id == task_id
    )
    revoked_at = func.coalesce(annotation_invitation.c.revoked_at, func.now())
    return (await connection.execute(statement.values(revoked_at=revoked_at))).rowcount > 0


async def find_by_hash(connection: AsyncConnection, token_hash: bytes) -> Row[Any] | None:
    """Return the invitation whose token has this hash, with its `status` and the `name` and `description` of its task.

    Return `None` if there is no such invitation, or if its organisation is closed.
    """
    task = annotation_task.c
    is_open = select(organisation.c.id).where(
        organisation.c.id == annotation_invitation.c.org_id, organisation.c.closed_at.is_(None)
    )
    query = _LISTED.add_columns(
        task.name, task.description, task.total_items, task.completed_items, annotator.c.name.label("annotator_name")
    ).join(annotation_task, task.id == annotation_invitation.c.task_id)
    mine = annotation_invitation.c.token_hash == token_hash
    return (await connection.execute(query.where(mine, is_open.exists()))).one_or_none()


async def mark_used(connection: AsyncConnection, id_: UUID) -> None:
    await connection.execute(
        update(annotation_invitation).where(annotation_invitation.c.id == id_).values(used_at=func.now())
    )
