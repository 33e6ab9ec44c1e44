"""Read and write the tables `collection` and `collection_task`: one function per query, in the caller's transaction."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import ARRAY, ColumnElement, Row, Select, Uuid, cast, delete, func, insert, literal, select, update
from sqlalchemy.dialects.postgresql import insert as insert_unless_there
from sqlalchemy.ext.asyncio import AsyncConnection

from config_api.collections.schemas import CollectionIn, CollectionOut
from config_api.paging import After
from llmbench.db.tables import collection, collection_task, suite, task
from llmbench.ids import new_id

UNIQUE_NAME = "collection_org_id_name_key"

_task_count = (
    select(func.count())
    .select_from(collection_task)
    .where(collection_task.c.collection_id == collection.c.id)
    .scalar_subquery()
    .label("task_count")
)


def _collections() -> Select[Any]:
    return select(collection, _task_count)


def _out(row: Row[Any]) -> CollectionOut:
    return CollectionOut.model_validate(dict(row._mapping))


async def insert_collection(connection: AsyncConnection, body: CollectionIn) -> UUID:
    id_ = new_id()
    values = {"id": id_, "name": body.name, "description": body.description}
    await connection.execute(insert(collection).values(values))
    return id_


async def find_collection(connection: AsyncConnection, id_: UUID) -> CollectionOut | None:
    row = (await connection.execute(_collections().where(collection.c.id == id_))).one_or_none()
    return _out(row) if row else None


async def find_by_name(connection: AsyncConnection, name: str) -> CollectionOut | None:
    row = (await connection.execute(_collections().where(collection.c.name == name))).one_or_none()
    return _out(row) if row else None


async def lock_collection(connection: AsyncConnection, id_: UUID) -> CollectionOut | None:
    """Lock the collection, and with it the list of its tasks, until the transaction ends.

    Return the collection, or `None` if it does not exist.
    """
    await connection.execute(select(collection.c.id).where(collection.c.id == id_).with_for_update())
    return await find_collection(connection, id_)


async def update_collection(connection: AsyncConnection, id_: UUID, **values: object) -> None:
    changes = {**values, "version": collection.c.version + 1, "updated_at": func.now()}
    await connection.execute(update(collection).where(collection.c.id == id_).values(changes))


def in_suites(id_: UUID) -> ColumnElement[bool]:
    """Return the SQL condition, on a row of the table `suite`, that the suite uses the collection."""
    return suite.c.definition.contains({"tasks": [{"collection_id": str(id_)}]})


async def delete_collection(connection: AsyncConnection, id_: UUID) -> None:
    await connection.execute(delete(collection).where(collection.c.id == id_))


async def list_collections(
    connection: AsyncConnection, *, q: str | None, task_id: UUID | None, after: After | None, limit: int
) -> list[CollectionOut]:
    query = _collections()
    if task_id is not None:
        holding = select(collection_task.c.collection_id).where(collection_task.c.task_id == task_id)
        query = query.where(collection.c.id.in_(holding))
    if q:
        query = query.where(collection.c.name.icontains(q, autoescape=True))
    if after is not None:
        query = query.where(collection.c.name > after.key)
    return [_out(row) for row in await connection.execute(query.order_by(collection.c.name).limit(limit))]


async def hold_tasks(connection: AsyncConnection, ids: Sequence[UUID]) -> set[UUID]:
    """Lock the tasks with these ids against deletion until the transaction ends. Return the ids of existing tasks.

    Call it before changing `collection_task`. The deletion of a task takes its locks in the same order, so the two
    cannot deadlock.
    """
    query = select(task.c.id).where(task.c.id == func.any(list(ids)))
    return set((await connection.execute(query.with_for_update(read=True, key_share=True))).scalars())


async def add_tasks(connection: AsyncConnection, id_: UUID, task_ids: Sequence[UUID]) -> int:
    """Append the tasks in the given order, except those in the collection already. Return the number of added tasks.

    The position is an identity column, which the database assigns in the order of the rows.
    """
    if not task_ids:
        return 0
    given = (
        func.unnest(cast(list(task_ids), ARRAY(Uuid))).table_valued("task_id", with_ordinality="place").render_derived()
    )
    rows = select(literal(id_, Uuid), given.c.task_id).order_by(given.c.place)
    statement = insert_unless_there(collection_task).from_select(["collection_id", "task_id"], rows)
    added = await connection.execute(statement.on_conflict_do_nothing().returning(collection_task.c.task_id))
    return len(added.all())


async def remove_tasks(connection: AsyncConnection, id_: UUID, task_ids: Sequence[UUID] | None = None) -> None:
    """Remove the tasks `task_ids` from the collection; without `task_ids`, all of its tasks."""
    query = delete(collection_task).where(collection_task.c.collection_id == id_)
    if task_ids is not None:
        query = query.where(collection_task.c.task_id == func.any(list(task_ids)))
    await connection.execute(query)
