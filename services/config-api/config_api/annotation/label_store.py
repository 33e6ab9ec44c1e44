"""Read and write leases and labels: one function per query, in the caller's transaction.

The row of the annotator is locked first, then that of the item, then that of the task. So the requests of one person
run one after another, and no label of an item is counted twice.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Row, Select, and_, delete, func, or_, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from config_api.annotation.schemas import AnnotationIn
from llmbench.contracts.annotation_words import AnnotationStatus, AnnotatorStatus
from llmbench.db.tables import annotation_item, annotation_lease, annotation_task, annotator, human_annotation
from llmbench.ids import new_id


async def open_lease(connection: AsyncConnection, task_id: UUID, annotator_id: UUID) -> Row[Any] | None:
    """Return the item that this person has a lease of now, with `leased_until` and `draft`."""
    query = (
        select(annotation_item, annotation_lease.c.leased_until, annotation_lease.c.draft)
        .join(annotation_lease, annotation_lease.c.item_id == annotation_item.c.id)
        .where(annotation_lease.c.task_id == task_id, annotation_lease.c.annotator_id == annotator_id)
        .where(annotation_lease.c.leased_until > func.clock_timestamp())
        .order_by(annotation_lease.c.created_at)
        .limit(1)
    )
    return (await connection.execute(query)).one_or_none()


async def lease_of(connection: AsyncConnection, item_id: UUID, annotator_id: UUID) -> Row[Any] | None:
    """Return this person's lease of the item, even if it has expired."""
    query = select(annotation_lease).where(
        annotation_lease.c.item_id == item_id, annotation_lease.c.annotator_id == annotator_id
    )
    return (await connection.execute(query)).one_or_none()


async def take(
    connection: AsyncConnection, task_id: UUID, annotator_id: UUID, *, required: int, seconds: int
) -> Row[Any] | None:
    """Lease the next item to this person, and return it with `leased_until` and `draft`; `None` if there is no item for
    them.

    An item is given if it lacks more labels than it has open leases. At first, items whose rows other requests have
    locked are skipped, so that fifty people do not queue for one row. If all are locked, the request waits for one.
    """
    passed: list[UUID] = []
    wait = False
    while True:
        candidate = _candidate(task_id, annotator_id, required, passed, wait=wait)
        found = (await connection.execute(candidate)).one_or_none()
        if found is None:
            if wait:
                return None
            wait = True
        # The candidate was chosen before its row was locked. Its lock makes this second look the last word.
        elif found.gold is not None or await _lacks_labels(connection, found.id, required):
            return await _hold(connection, found, annotator_id, seconds)
        else:
            passed.append(found.id)


def _candidate(task_id: UUID, annotator_id: UUID, required: int, passed: Sequence[UUID], *, wait: bool) -> Select[Any]:
    wanted = _open_for(annotator_id, required)
    query = select(annotation_item).where(annotation_item.c.task_id == task_id, or_(wanted, _gold_for(annotator_id)))
    query = query.order_by(annotation_item.c.position).limit(1)
    query = query.with_for_update(skip_locked=not wait, key_share=True, of=annotation_item)
    return query.where(annotation_item.c.id.not_in(passed)) if passed else query


def _open_for(annotator_id: UUID, required: int) -> ColumnElement[bool]:
    return and_(
        annotation_item.c.done.is_(False),
        annotation_item.c.gold.is_(None),
        ~_labelled_by(annotator_id),
        annotation_item.c.annotations + _held() < required,
    )


def _gold_for(annotator_id: UUID) -> ColumnElement[bool]:
    return and_(annotation_item.c.done.is_(False), annotation_item.c.gold.is_not(None), ~_labelled_by(annotator_id))


def _labelled_by(annotator_id: UUID) -> ColumnElement[bool]:
    given = select(human_annotation.c.id).where(
        human_annotation.c.task_id == annotation_item.c.task_id,
        human_annotation.c.item_id == annotation_item.c.id,
        human_annotation.c.annotator_id == annotator_id,
    )
    return given.exists()


def _held() -> Any:
    """Return the number of people who hold the item now."""
    return (
        select(func.count())
        .select_from(annotation_lease)
        .where(annotation_lease.c.item_id == annotation_item.c.id)
        .where(annotation_lease.c.leased_until > func.clock_timestamp())
        .correlate(annotation_item)
        .scalar_subquery()
    )


async def has_more(connection: AsyncConnection, task_id: UUID, annotator_id: UUID, *, required: int) -> bool:
    """Return whether there is an item for this person, apart from gold items."""
    wanted = select(annotation_item.c.id).where(annotation_item.c.task_id == task_id, _open_for(annotator_id, required))
    there: bool = (await connection.execute(select(wanted.exists()))).scalar_one()
    return there


async def _lacks_labels(connection: AsyncConnection, item_id: UUID, required: int) -> bool:
    query = select(annotation_item.c.annotations + _held() < required).where(annotation_item.c.id == item_id)
    lacks: bool = (await connection.execute(query)).scalar_one()
    return lacks


async def _hold(connection: AsyncConnection, item: Row[Any], annotator_id: UUID, seconds: int) -> Row[Any] | None:
    until = func.clock_timestamp() + func.make_interval(0, 0, 0, 0, 0, 0, seconds)
    values = {"item_id": item.id, "annotator_id": annotator_id, "task_id": item.task_id, "leased_until": until}
    await connection.execute(
        insert(annotation_lease)
        .values(values)
        .on_conflict_do_update(index_elements=["item_id", "annotator_id"], set_={"leased_until": until})
    )
    return await open_lease(connection, item.task_id, annotator_id)


async def count_given(connection: AsyncConnection, task_id: UUID, annotator_id: UUID) -> tuple[int, int]:
    """Return the number of items that this person labelled or skipped, and the number of those that still need labels
    from others."""
    lacking = and_(annotation_item.c.done.is_(False), annotation_item.c.gold.is_(None))
    query = (
        select(func.count().label("given"), func.count().filter(lacking).label("open"))
        .select_from(human_annotation)
        .join(annotation_item, annotation_item.c.id == human_annotation.c.item_id)
        .where(human_annotation.c.task_id == task_id, human_annotation.c.annotator_id == annotator_id)
    )
    row = (await connection.execute(query)).one()
    return row.given, row.open


async def active_tasks(connection: AsyncConnection, annotator_id: UUID | None, *, limit: int) -> list[Row[Any]]:
    """Return the newest ACTIVE tasks, each with the number of items that the annotator labelled or skipped in it."""
    own = select(func.count()).select_from(human_annotation)
    own = own.where(
        human_annotation.c.task_id == annotation_task.c.id, human_annotation.c.annotator_id == annotator_id
    ).correlate(annotation_task)
    query = (
        select(annotation_task, own.scalar_subquery().label("own_annotations"))
        .where(annotation_task.c.status == AnnotationStatus.ACTIVE)
        .order_by(annotation_task.c.created_at.desc(), annotation_task.c.id.desc())
        .limit(limit)
    )
    return list(await connection.execute(query))


async def lock_item(connection: AsyncConnection, task_id: UUID, item_id: UUID) -> Row[Any] | None:
    query = select(annotation_item).where(annotation_item.c.task_id == task_id, annotation_item.c.id == item_id)
    return (await connection.execute(query.with_for_update(key_share=True))).one_or_none()


async def find_annotation(connection: AsyncConnection, item_id: UUID, annotator_id: UUID) -> Row[Any] | None:
    query = select(human_annotation).where(
        human_annotation.c.item_id == item_id, human_annotation.c.annotator_id == annotator_id
    )
    return (await connection.execute(query)).one_or_none()


async def last_annotation(connection: AsyncConnection, task_id: UUID, annotator_id: UUID) -> Row[Any] | None:
    query = select(human_annotation).where(
        human_annotation.c.task_id == task_id, human_annotation.c.annotator_id == annotator_id
    )
    return (await connection.execute(query.order_by(human_annotation.c.id.desc()).limit(1))).one_or_none()


@dataclass(frozen=True)
class Place:
    """The task, item and annotator that labels belong to."""

    task_id: UUID
    item_id: UUID
    annotator_id: UUID


async def put_annotation(connection: AsyncConnection, place: Place, body: AnnotationIn, *, surplus: bool) -> UUID:
    """Store the labels, or replace the earlier labels of this person. Return the id of the annotation."""
    values = {**body.model_dump(), "surplus": surplus}
    statement = insert(human_annotation).values(
        id=new_id(), task_id=place.task_id, item_id=place.item_id, annotator_id=place.annotator_id, **values
    )
    row = await connection.execute(
        statement.on_conflict_do_update(
            index_elements=["task_id", "item_id", "annotator_id"], set_={**values, "updated_at": func.now()}
        ).returning(human_annotation.c.id)
    )
    id_: UUID = row.scalar_one()
    return id_


async def delete_annotation(connection: AsyncConnection, id_: UUID) -> None:
    await connection.execute(delete(human_annotation).where(human_annotation.c.id == id_))


async def end_lease(connection: AsyncConnection, place: Place) -> None:
    await connection.execute(
        delete(annotation_lease).where(
            annotation_lease.c.item_id == place.item_id, annotation_lease.c.annotator_id == place.annotator_id
        )
    )


async def save_draft(
    connection: AsyncConnection, place: Place, labels: Mapping[str, Any], *, seconds: int | None
) -> datetime | None:
    """Store a draft, and let the lease expire in `seconds`; `None` leaves its end unchanged. Return the end of the
    lease.

    Return `None` if this person has no lease of the item now.
    """
    now = func.clock_timestamp()
    until = annotation_lease.c.leased_until if seconds is None else now + func.make_interval(0, 0, 0, 0, 0, 0, seconds)
    statement = (
        update(annotation_lease)
        .where(annotation_lease.c.item_id == place.item_id, annotation_lease.c.annotator_id == place.annotator_id)
        .where(annotation_lease.c.leased_until > now)
        .values(draft=dict(labels), leased_until=until)
        .returning(annotation_lease.c.leased_until)
    )
    ended: datetime | None = (await connection.execute(statement)).scalar_one_or_none()
    return ended


async def hold_again(connection: AsyncConnection, place: Place, draft: Mapping[str, Any], *, seconds: int) -> None:
    """Lease the item to this person again. `draft` has the labels that were just removed."""
    until = func.clock_timestamp() + func.make_interval(0, 0, 0, 0, 0, 0, seconds)
    # Another item that this person holds goes back to the others: a person has one at a time.
    await connection.execute(
        delete(annotation_lease).where(
            annotation_lease.c.task_id == place.task_id, annotation_lease.c.annotator_id == place.annotator_id
        )
    )
    await connection.execute(
        insert(annotation_lease).values(
            item_id=place.item_id,
            annotator_id=place.annotator_id,
            task_id=place.task_id,
            leased_until=until,
            draft=dict(draft),
        )
    )


async def count_label(connection: AsyncConnection, item_id: UUID, change: int, *, required: int) -> int:
    """Add `change`, 1 or -1, to the number of an item's labels. Return 1 if that completes the item, -1 if the item is
    no longer complete, and otherwise 0."""
    before = (
        await connection.execute(select(annotation_item.c.done).where(annotation_item.c.id == item_id))
    ).scalar_one()
    annotations = annotation_item.c.annotations + change
    statement = update(annotation_item).where(annotation_item.c.id == item_id)
    after = (
        await connection.execute(
            statement.values(annotations=annotations, done=annotations >= required).returning(annotation_item.c.done)
        )
    ).scalar_one()
    return int(after) - int(before)


async def open_leases(connection: AsyncConnection, task_id: UUID) -> int:
    query = select(func.count()).select_from(annotation_lease).where(annotation_lease.c.task_id == task_id)
    number: int = (
        await connection.execute(query.where(annotation_lease.c.leased_until > func.clock_timestamp()))
    ).scalar_one()
    return number


async def labels_of(
    connection: AsyncConnection, task_id: UUID, item_ids: Sequence[UUID] | None = None
) -> list[Row[Any]]:
    """Return all labels of a task or of some of its items, in the order in which they were given, each with the name
    and state of its annotator."""
    query = (
        select(human_annotation, annotator.c.name, annotator.c.status)
        .join(annotator, annotator.c.id == human_annotation.c.annotator_id)
        .where(human_annotation.c.task_id == task_id)
    )
    if item_ids is not None:
        query = query.where(human_annotation.c.item_id.in_(item_ids))
    return list(await connection.execute(query.order_by(human_annotation.c.id)))


def counts(label: Row[Any]) -> bool:
    """Return whether a label counts: it is neither a skip nor surplus, and its annotator is not BLOCKED."""
    return not label.skipped and not label.surplus and label.status != AnnotatorStatus.BLOCKED


async def store_scores(connection: AsyncConnection, scores: Mapping[UUID, float | None]) -> None:
    """Store the agreement score of each annotation."""
    await connection.execute(
        text(
            "UPDATE human_annotation SET agreement_score = given.score "
            "FROM unnest(cast(:ids AS uuid[]), cast(:scores AS float8[])) AS given(id, score) "
            "WHERE human_annotation.id = given.id"
        ),
        {"ids": list(scores), "scores": list(scores.values())},
    )
