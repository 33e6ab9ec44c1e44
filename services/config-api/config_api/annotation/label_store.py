"""Read labels for the people who manage a task: one function per query, in the caller's transaction.

`lease_store` has the statements for annotators.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Row, func, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.contracts.annotation_words import AnnotationStatus, AnnotatorStatus
from llmbench.db.tables import annotation_item, annotation_lease, annotation_task, annotator, human_annotation


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


async def open_leases(connection: AsyncConnection, task_id: UUID) -> int:
    query = select(func.count()).select_from(annotation_lease).where(annotation_lease.c.task_id == task_id)
    number: int = (
        await connection.execute(query.where(annotation_lease.c.leased_until > func.clock_timestamp()))
    ).scalar_one()
    return number


async def labels_of(
    connection: AsyncConnection, task_id: UUID, item_ids: Sequence[UUID] | None = None
) -> list[Row[Any]]:
    """Return the labels of the items `item_ids` (`None`: of all items of the task), the oldest first.

    Each row also has the name and the state of the annotator.
    """
    query = (
        select(human_annotation, annotator.c.name, annotator.c.status)
        .join(annotator, annotator.c.id == human_annotation.c.annotator_id)
        .where(human_annotation.c.task_id == task_id)
    )
    if item_ids is not None:
        query = query.where(human_annotation.c.item_id.in_(item_ids))
    return list(await connection.execute(query.order_by(human_annotation.c.id)))


def counts(label: Row[Any]) -> bool:
    """Return whether a label counts for agreement and consensus. A skip does not count, nor does a surplus label (given
    when the item already had enough labels), nor a label of a BLOCKED annotator."""
    return not label.skipped and not label.surplus and label.status != AnnotatorStatus.BLOCKED


async def store_scores(connection: AsyncConnection, scores: Mapping[UUID, float | None]) -> None:
    """Store the agreement scores (`Evaluated.scores`), given by the ids of the annotations."""
    await connection.execute(
        text(
            "UPDATE human_annotation SET agreement_score = given.score "
            "FROM unnest(cast(:ids AS uuid[]), cast(:scores AS float8[])) AS given(id, score) "
            "WHERE human_annotation.id = given.id"
        ),
        {"ids": list(scores), "scores": list(scores.values())},
    )
