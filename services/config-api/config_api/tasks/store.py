"""Read and write the table `task`: one function per query, in the caller's transaction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Label,
    Row,
    Select,
    delete,
    func,
    insert,
    literal_column,
    or_,
    select,
    tuple_,
    update,
)
from sqlalchemy.dialects.postgresql import insert as insert_or
from sqlalchemy.ext.asyncio import AsyncConnection

from config_api.paging import After, Order
from config_api.tasks.schemas import Category, Subcategory, TaskIn, TaskOut, TaskSort
from llmbench.db.tables import collection_task, task
from llmbench.ids import new_id

UNIQUE_TASK_ID = "task_org_id_task_id_key"
OnConflict = Literal["reject", "skip", "update"]

_collection_count = (
    select(func.count()).where(collection_task.c.task_id == task.c.id).scalar_subquery().label("collection_count")
)
# The columns that an imported file may change. A change of any of them increments the version.
_WRITTEN = (
    *("category", "subcategory", "question", "excellent", "good", "pass", "incorrect_answer_direction"),
    *("system_prompt", "conversation", "accepted_answers", "metadata", "checks"),
)


@dataclass(frozen=True)
class TaskFilter:
    q: str | None = None
    task_id: str | None = None
    category: str | None = None
    subcategory: str | None = None
    collection_id: UUID | None = None
    not_in_collection: UUID | None = None
    sort: TaskSort | None = None


def _out(row: Row[Any]) -> TaskOut:
    return TaskOut.model_validate(dict(row._mapping))


async def insert_task(connection: AsyncConnection, body: TaskIn) -> TaskOut:
    values = {"id": new_id(), **body.stored()}
    return _out((await connection.execute(insert(task).values(values).returning(task, _collection_count))).one())


async def write_tasks(
    connection: AsyncConnection, rows: Sequence[Mapping[str, object]], *, on_conflict: OnConflict
) -> dict[str, tuple[UUID, bool]]:
    """Insert all rows in one statement. Return, by task_id, the id of each written task and whether it is new.

    With `on_conflict="update"`, rows replace existing tasks from which they differ; otherwise existing tasks stay
    unchanged. Unchanged tasks are not in the result.
    """
    values = [{"id": new_id(), **row} for row in rows]
    statement = insert_or(task)
    if on_conflict == "update":
        new = statement.excluded
        changes = {name: new[name] for name in (*_WRITTEN, "source_file", "source_line")}
        statement = statement.on_conflict_do_update(
            constraint=UNIQUE_TASK_ID,
            set_={**changes, "version": task.c.version + 1, "updated_at": func.now()},
            where=tuple_(*(task.c[name] for name in _WRITTEN)).is_distinct_from(
                tuple_(*(new[name] for name in _WRITTEN))
            ),
        )
    else:
        statement = statement.on_conflict_do_nothing(constraint=UNIQUE_TASK_ID)
    # xmax is 0 unless the row was updated: https://www.postgresql.org/docs/current/ddl-system-columns.html
    is_new: Label[bool] = literal_column("(task.xmax = 0)").label("is_new")
    written = await connection.execute(statement.returning(task.c.id, task.c.task_id, is_new), values)
    return {row.task_id: (row.id, row.is_new) for row in written}


async def ids_of(connection: AsyncConnection, task_ids: Sequence[str]) -> dict[str, UUID]:
    query = select(task.c.task_id, task.c.id).where(task.c.task_id == func.any(list(task_ids)))
    return {row.task_id: row.id for row in await connection.execute(query)}


async def find_task(connection: AsyncConnection, id_: UUID, *, lock: bool = False) -> TaskOut | None:
    query = select(task, _collection_count).where(task.c.id == id_)
    row = (await connection.execute(query.with_for_update(of=task) if lock else query)).one_or_none()
    return _out(row) if row else None


async def update_task(connection: AsyncConnection, id_: UUID, body: TaskIn) -> TaskOut:
    values = {**body.stored(), "version": task.c.version + 1, "updated_at": func.now()}
    statement = update(task).where(task.c.id == id_).values(values).returning(task, _collection_count)
    return _out((await connection.execute(statement)).one())


async def delete_tasks(connection: AsyncConnection, ids: Sequence[UUID]) -> list[tuple[UUID, str]]:
    """Delete the tasks `ids`. Return id and task_id of those that existed.

    The tasks are locked in a fixed order, so that two deletions cannot deadlock.
    """
    held = select(task.c.id).where(task.c.id == func.any(list(ids)))
    rows = (await connection.execute(held.order_by(task.c.id).with_for_update())).scalars().all()
    statement = delete(task).where(task.c.id == func.any(list(rows))).returning(task.c.id, task.c.task_id)
    return [(row.id, row.task_id) for row in await connection.execute(statement)]


async def list_tasks(
    connection: AsyncConnection, wanted: TaskFilter, *, after: After | None, limit: int
) -> list[tuple[TaskOut, After]]:
    """Return one page of tasks, each with its position. A cursor made from a position continues after that task.

    Without `wanted.sort`, the tasks are in the order of the collection in `wanted`, or sorted by task_id.
    """
    query = _filtered(select(task), wanted)
    order = order_of(wanted)
    keys, descending = _keys(order)
    if after is not None:
        place = [_value(after), *([] if after.tie is None else [after.tie])]
        query = query.where(tuple_(*keys) < tuple_(*place) if descending else tuple_(*keys) > tuple_(*place))
    query = query.add_columns(keys[0].label("place"))
    query = query.order_by(*(key.desc() if descending else key for key in keys)).limit(limit)
    rows = (await connection.execute(query)).all()
    counts = await _collection_counts(connection, [row.id for row in rows])
    return [
        (TaskOut.model_validate({**row._mapping, "collection_count": counts.get(row.id, 0)}), _place(order, row))
        for row in rows
    ]


async def _collection_counts(connection: AsyncConnection, ids: Sequence[UUID]) -> dict[UUID, int]:
    """Return, for each task of a page, the number of collections that contain it.

    A separate query counts them: within the page's query, PostgreSQL might count them for tasks of other pages.
    """
    counted = select(collection_task.c.task_id, func.count().label("collections"))
    counted = counted.where(collection_task.c.task_id == func.any(list(ids))).group_by(collection_task.c.task_id)
    return {row.task_id: row.collections for row in await connection.execute(counted)}


async def list_categories(connection: AsyncConnection) -> list[Category]:
    query = (
        select(task.c.category, task.c.subcategory, func.count().label("tasks"))
        .group_by(task.c.category, task.c.subcategory)
        .order_by(task.c.category, task.c.subcategory.asc().nulls_first())
    )
    by_category: dict[str, list[Subcategory]] = {}
    for row in await connection.execute(query):
        by_category.setdefault(row.category, []).append(Subcategory(subcategory=row.subcategory, task_count=row.tasks))
    return [
        Category(category=name, task_count=sum(part.task_count for part in parts), subcategories=parts)
        for name, parts in by_category.items()
    ]


def order_of(wanted: TaskFilter) -> Order:
    if wanted.sort is None:
        return "name" if wanted.collection_id is None else "position"
    if wanted.sort == "task_id":
        return "name"
    return "-name" if wanted.sort == "-task_id" else wanted.sort


def _filtered(query: Select[Any], task_filter: TaskFilter) -> Select[Any]:
    if task_filter.collection_id is not None:
        query = query.join(collection_task, collection_task.c.task_id == task.c.id)
        query = query.where(collection_task.c.collection_id == task_filter.collection_id)
    if task_filter.not_in_collection is not None:
        within = select(collection_task.c.task_id).where(
            collection_task.c.collection_id == task_filter.not_in_collection
        )
        query = query.where(task.c.id.not_in(within))
    for name in ("task_id", "category", "subcategory"):
        if getattr(task_filter, name) is not None:
            query = query.where(task.c[name] == getattr(task_filter, name))
    if task_filter.q:
        searched = (task.c.task_id, task.c.question, task.c.category)
        query = query.where(or_(*(column.icontains(task_filter.q, autoescape=True) for column in searched)))
    return query


def _keys(order: Order) -> tuple[list[ColumnElement[Any]], bool]:
    """Return the columns by which the listing is sorted, and whether it is descending.

    If several tasks may have equal values, task_id is added as the last column.
    """
    name = order.removeprefix("-")
    if name == "position":
        return [collection_task.c.position], False
    keys: list[ColumnElement[Any]] = [task.c.task_id] if name == "name" else [task.c[name], task.c.task_id]
    return keys, order.startswith("-")


def _value(after: After) -> str | int | datetime:
    is_time = after.order.endswith("_at")
    return datetime.fromisoformat(str(after.key)) if is_time else after.key


def _place(order: Order, row: Row[Any]) -> After:
    key = row.place.isoformat() if isinstance(row.place, datetime) else row.place
    return After(order, key, None if order in ("name", "-name", "position") else row.task_id)
