"""Store the comments that people write on items."""

from typing import Any
from uuid import UUID

from sqlalchemy import RowMapping, delete, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from llmbench.db import tables as t
from llmbench.ids import new_id
from llmbench.organisation import bound_actor
from orchestrator.runs.ports.comments import MOST_COMMENTS, CommentOut, ItemComments, NotDone

_SHOWN = ("id", "text", "given_name", "created_at", "created_by")


class PostgresCommentStore:
    """Store comments in PostgreSQL: the port `CommentStore`. `reading` is the engine for lists, and may connect to a
    replica."""

    def __init__(self, engine: AsyncEngine, reading: AsyncEngine) -> None:
        self._engine = engine
        self._reading = reading

    async def of_item(self, run_id: UUID, item_id: UUID) -> ItemComments | None:
        comment = t.item_comment.c
        query = select(*(comment[name] for name in _SHOWN)).where(comment.item_id == item_id)
        async with self._reading.connect() as connection:
            if not await _has_item(connection, run_id, item_id):
                return None
            rows = (await connection.execute(query.order_by(comment.created_at, comment.id))).mappings()
            return ItemComments(items=[_shown(row) for row in rows])

    async def add(self, run_id: UUID, item_id: UUID, text: str, given_name: str | None) -> CommentOut | NotDone:
        comment = t.item_comment.c
        person = bound_actor()
        name = given_name if person is None else None
        values = {"id": new_id(), "item_id": item_id, "text": text, "given_name": name, "created_by": person}
        stored = insert(t.item_comment).values(values).returning(*(comment[name] for name in _SHOWN))
        async with self._engine.begin() as connection:
            # Locking the item makes the limit exact: comments on it are added one after another.
            if not await _has_item(connection, run_id, item_id, lock=True):
                return NotDone.NO_ITEM
            count = select(func.count()).select_from(t.item_comment).where(comment.item_id == item_id)
            if (await connection.execute(count)).scalar_one() >= MOST_COMMENTS:
                return NotDone.TOO_MANY
            return _shown((await connection.execute(stored)).mappings().one())

    async def delete(self, run_id: UUID, item_id: UUID, comment_id: UUID) -> NotDone | None:
        comment = t.item_comment.c
        author = select(comment.created_by).where(comment.id == comment_id, comment.item_id == item_id)
        async with self._engine.begin() as connection:
            if not await _has_item(connection, run_id, item_id):
                return NotDone.NO_ITEM
            found = (await connection.execute(author.with_for_update())).first()
            if found is None:
                return NotDone.NO_COMMENT
            if not _is_own(found.created_by):
                return NotDone.NOT_OWN
            await connection.execute(delete(t.item_comment).where(comment.id == comment_id))
            return None


def _is_own(author: UUID | None) -> bool:
    return author is None or author == bound_actor()


def _shown(row: RowMapping) -> CommentOut:
    fields: dict[str, Any] = dict(row)
    return CommentOut.model_validate(fields | {"own": _is_own(row["created_by"])})


async def _has_item(connection: AsyncConnection, run_id: UUID, item_id: UUID, *, lock: bool = False) -> bool:
    query = select(t.item.c.id).where(t.item.c.run_id == run_id, t.item.c.id == item_id)
    if lock:
        query = query.with_for_update(key_share=True)
    return (await connection.execute(query)).first() is not None
