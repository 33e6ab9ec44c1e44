"""The table `task`: one function per query, each on the caller's transaction."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import Row, delete, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from config_api.paging import After, Order
from config_api.tasks.schemas import TaskIn, TaskOut
from llmbench.db.tables import collection_task, task
from llmbench.ids import DEFAULT_ORG_ID, new_id

UNIQUE_TASK_ID = "task_org_id_task_id_key"


@dataclass(frozen=True)
class TaskFilter:
    q: str | None = None
    category: str | None = None
    collection_id: UUID | None = None


def _out(row: Row[Any]) -> TaskOut:
    return TaskOut.model_validate(dict(row._mapping))


async def insert_task(connection: AsyncConnection, body: TaskIn) -> TaskOut:
    values = {"id": new_id(), "org_id": DEFAULT_ORG_ID, **body.model_dump(by_alias=True)}
    return _out((await connection.execute(insert(task).values(values).returning(task))).one())


async def find_task(connection: AsyncConnection, id_: UUID, *, lock: bool = False) -> TaskOut | None:
    query = select(task).where(task.c.id == id_, task.c.org_id == DEFAULT_ORG_ID)
    row = (await connection.execute(query.with_for_update() if lock else query)).one_or_none()
    return _out(row) if row else None


async def update_task(connection: AsyncConnection, id_: UUID, body: TaskIn) -> TaskOut:
    values = {**body.model_dump(by_alias=True), "version": task.c.version + 1, "updated_at": func.now()}
    return _out((await connection.execute(update(task).where(task.c.id == id_).values(values).returning(task))).one())


async def delete_task(connection: AsyncConnection, id_: UUID) -> None:
    await connection.execute(delete(task).where(task.c.id == id_))


async def list_tasks(
    connection: AsyncConnection, wanted: TaskFilter, *, after: After | None, limit: int
) -> list[tuple[TaskOut, After]]:
    """By name, or in the order of a collection when one is asked for; each with its place."""
    key = task.c.task_id if wanted.collection_id is None else collection_task.c.position
    query = select(task, key.label("place")).where(task.c.org_id == DEFAULT_ORG_ID)
    if wanted.collection_id is not None:
        query = query.join(collection_task, collection_task.c.task_id == task.c.id)
        query = query.where(collection_task.c.collection_id == wanted.collection_id)
    if wanted.category is not None:
        query = query.where(task.c.category == wanted.category)
    if wanted.q:
        found = (column.icontains(wanted.q, autoescape=True) for column in (task.c.task_id, task.c.question))
        query = query.where(or_(*found))
    if after is not None:
        query = query.where(key > after.key)
    rows = await connection.execute(query.order_by(key).limit(limit))
    order = order_of(wanted)
    return [(_out(row), After(order, row.place)) for row in rows]


def order_of(wanted: TaskFilter) -> Order:
    return "name" if wanted.collection_id is None else "position"
