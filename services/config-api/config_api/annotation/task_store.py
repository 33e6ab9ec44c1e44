"""Read and write `annotation_task` and its items: one function per query, in the caller's transaction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from pydantic_core import to_json
from sqlalchemy import Row, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from config_api.annotation.schemas import AnnotationTaskOut
from llmbench.contracts.annotation_words import AnnotationStatus
from llmbench.contracts.dataset_words import VersionStatus
from llmbench.db.tables import (
    annotation_item,
    annotation_task,
    dataset,
    dataset_version,
    human_annotation,
    test_case,
)
from llmbench.ids import new_id

# The cases are copied inside the database: a version may be larger than this process.
_PUT_ITEMS = """
    INSERT INTO annotation_item (task_id, id, position, test_case_id, name, content, is_audit, gold)
    SELECT
        $1, given.id, given.position, test_case.id, test_case.name,
        jsonb_build_object(
            'input', test_case.input, 'output', NULL,
            'reference', coalesce(test_case.expected_output, ground_truth.value ->> 'answer')
        ),
        given.is_audit, given.gold
    FROM unnest($2::uuid[], $3::int[], $4::uuid[], $5::bool[], $6::jsonb[])
        AS given(id, position, case_id, is_audit, gold)
    JOIN test_case ON test_case.id = given.case_id
    LEFT JOIN ground_truth ON ground_truth.test_case_id = test_case.id
"""


@dataclass(frozen=True)
class NewItem:
    """A dataset's case that becomes an item of a task. `gold` has its right labels, if they are known.

    `is_audit` marks an item of the random slice that represents all cases.
    """

    test_case_id: UUID
    is_audit: bool = False
    gold: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Source:
    """The dataset version whose cases become items."""

    dataset_id: UUID
    number: int
    status: VersionStatus
    row_count: int
    dataset: str


async def find_source(connection: AsyncConnection, version_id: UUID) -> Source | None:
    """Return the version, locked against changes until the transaction ends; `None` if it does not exist."""
    query = (
        select(dataset_version, dataset.c.name.label("dataset"))
        .join(dataset, dataset.c.id == dataset_version.c.dataset_id)
        .where(dataset_version.c.id == version_id)
        .with_for_update(read=True, of=dataset_version)
    )
    row = (await connection.execute(query)).one_or_none()
    if row is None:
        return None
    return Source(row.dataset_id, row.version_number, VersionStatus(row.status), row.row_count, row.dataset)


def _out(row: Row[Any]) -> AnnotationTaskOut:
    return AnnotationTaskOut.model_validate({**row._mapping, "task_id": row.id})


async def ids_of_names(connection: AsyncConnection, version_id: UUID, names: Sequence[str]) -> dict[str, UUID]:
    """Return the ids of the version's cases with these names, by name."""
    query = select(test_case.c.name, test_case.c.id).where(test_case.c.version_id == version_id)
    return {row.name: row.id for row in await connection.execute(query.where(test_case.c.name.in_(names)))}


async def count_cases(connection: AsyncConnection, version_id: UUID, metadata: Mapping[str, Any]) -> int:
    """Return the number of the version's cases whose metadata contains all keys and values of `metadata`."""
    query = select(func.count()).select_from(test_case).where(test_case.c.version_id == version_id)
    query = query.where(test_case.c.metadata.contains(metadata)) if metadata else query
    number: int = (await connection.execute(query)).scalar_one()
    return number


async def insert_task(connection: AsyncConnection, values: Mapping[str, Any], *, needed: int) -> UUID:
    """Store a task, and return its id. `needed` is the number of its items, without gold items."""
    id_ = new_id()
    await connection.execute(
        insert(annotation_task).values(id=id_, status=AnnotationStatus.DRAFT, total_items=needed, **values)
    )
    return id_


async def insert_cases(connection: AsyncConnection, task_id: UUID, items: Sequence[NewItem]) -> None:
    """Store cases as the items of a task, in their order."""
    rows = [
        (
            *(new_id(), position, item.test_case_id, item.is_audit),
            None if item.gold is None else to_json(item.gold).decode(),
        )
        for position, item in enumerate(items, start=1)
    ]
    raw = (await connection.get_raw_connection()).driver_connection
    assert raw is not None
    await raw.execute(_PUT_ITEMS, task_id, *zip(*rows, strict=True))


async def insert_answers(connection: AsyncConnection, task_id: UUID, items: Sequence[Mapping[str, Any]]) -> None:
    """Store answers of a run as items. Each mapping has the columns of the table of items.

    A `test_case_id` whose case no longer exists in any dataset is stored as null.
    """
    ids = {item["test_case_id"] for item in items}
    # The lock keeps the cases until the items refer to them.
    query = select(test_case.c.id).where(test_case.c.id.in_(ids)).with_for_update(read=True, key_share=True)
    cases = set((await connection.execute(query)).scalars())
    rows = [
        {**item, "task_id": task_id, "test_case_id": item["test_case_id"] if item["test_case_id"] in cases else None}
        for item in items
    ]
    await connection.execute(insert(annotation_item), rows)


async def find_task(connection: AsyncConnection, id_: UUID, *, lock: bool = False) -> AnnotationTaskOut | None:
    query = select(annotation_task).where(annotation_task.c.id == id_)
    row = (await connection.execute(query.with_for_update(key_share=True) if lock else query)).one_or_none()
    return _out(row) if row else None


async def list_tasks(
    connection: AsyncConnection, *, q: str | None, status: AnnotationStatus | None, limit: int, offset: int
) -> tuple[list[AnnotationTaskOut], int]:
    """Return a page of tasks, newest first, and the total number."""
    conditions = []
    if q:
        conditions.append(annotation_task.c.name.icontains(q, autoescape=True))
    if status is not None:
        conditions.append(annotation_task.c.status == status)
    count = select(func.count()).select_from(annotation_task).where(*conditions)
    query = select(annotation_task).where(*conditions)
    query = query.order_by(annotation_task.c.created_at.desc(), annotation_task.c.id.desc())
    rows = await connection.execute(query.limit(limit).offset(offset))
    return [_out(row) for row in rows], (await connection.execute(count)).scalar_one()


async def update_task(connection: AsyncConnection, id_: UUID, values: Mapping[str, Any]) -> AnnotationTaskOut:
    changes = {**values, "version": annotation_task.c.version + 1, "updated_at": func.now()}
    changed = update(annotation_task).where(annotation_task.c.id == id_).values(changes)
    return _out((await connection.execute(changed.returning(*annotation_task.c))).one())


async def count_annotations(connection: AsyncConnection, id_: UUID) -> int:
    query = select(func.count()).select_from(human_annotation).where(human_annotation.c.task_id == id_)
    number: int = (await connection.execute(query)).scalar_one()
    return number


async def delete_task(connection: AsyncConnection, id_: UUID) -> None:
    await connection.execute(delete(annotation_task).where(annotation_task.c.id == id_))


async def list_items(
    connection: AsyncConnection, task_id: UUID, ids: Sequence[UUID] | None = None, *, after: int = 0, limit: int
) -> list[Row[Any]]:
    """Return the first `limit` items of the task whose position is above `after`, sorted by position. With `ids`, only
    these items are returned."""
    query = select(annotation_item).where(annotation_item.c.task_id == task_id, annotation_item.c.position > after)
    if ids is not None:
        query = query.where(annotation_item.c.id.in_(ids))
    return list(await connection.execute(query.order_by(annotation_item.c.position).limit(limit)))


async def decide(connection: AsyncConnection, item_id: UUID, values: Mapping[str, Any]) -> None:
    await connection.execute(update(annotation_item).where(annotation_item.c.id == item_id).values(dict(values)))


async def item_states(connection: AsyncConnection, task_id: UUID) -> list[Row[Any]]:
    """Return a row for each item, in the order of the task. `decided` is true if a person has decided which labels are
    right, and `decision` has these labels."""
    columns = (annotation_item.c.id, annotation_item.c.decision, annotation_item.c.decided_at.is_not(None))
    query = select(*columns[:2], columns[2].label("decided")).where(annotation_item.c.task_id == task_id)
    return list(await connection.execute(query.order_by(annotation_item.c.position)))


async def count_decided(connection: AsyncConnection, task_id: UUID) -> int:
    query = select(func.count()).select_from(annotation_item).where(annotation_item.c.task_id == task_id)
    number: int = (await connection.execute(query.where(annotation_item.c.decided_at.is_not(None)))).scalar_one()
    return number


async def gold_of(connection: AsyncConnection, task_id: UUID) -> dict[UUID, Mapping[str, Any]]:
    """Return the right labels of the task's gold items, by item id."""
    query = select(annotation_item.c.id, annotation_item.c.gold).where(annotation_item.c.task_id == task_id)
    rows = await connection.execute(query.where(annotation_item.c.gold.is_not(None)))
    return {row.id: row.gold for row in rows}


async def cases_of_items(
    connection: AsyncConnection, task_id: UUID, version_id: UUID, ids: Sequence[UUID]
) -> dict[UUID, UUID]:
    """Return the id of each item's case, by item id. Items whose case is not in the version are left out."""
    query = select(annotation_item.c.id, annotation_item.c.test_case_id).join(test_case)
    query = query.where(annotation_item.c.task_id == task_id, annotation_item.c.id.in_(ids))
    rows = await connection.execute(query.where(test_case.c.version_id == version_id))
    return {row.id: row.test_case_id for row in rows}


async def versions_of_items(connection: AsyncConnection, task_id: UUID) -> list[UUID]:
    """Return the versions that the items' cases belong to, the one with the most items first."""
    query = select(test_case.c.version_id).join(annotation_item).where(annotation_item.c.task_id == task_id)
    query = query.group_by(test_case.c.version_id).order_by(func.count().desc(), test_case.c.version_id)
    return list((await connection.execute(query)).scalars())


async def answers_of(connection: AsyncConnection, task_id: UUID, ids: Sequence[UUID]) -> dict[UUID, list[str]]:
    """Return the answer of each item, by item id. The item of a pair has two answers."""
    query = select(annotation_item.c.id, annotation_item.c.content).where(annotation_item.c.task_id == task_id)
    rows = await connection.execute(query.where(annotation_item.c.id.in_(ids)))
    return {
        row.id: [each["text"] for each in row.content.get("answers", ())] or [row.content["output"]] for row in rows
    }
