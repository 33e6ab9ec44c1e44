"""Read and write the table `annotator`: one function per query, in the caller's transaction."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Row, func, insert, select, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.ext.asyncio import AsyncConnection

from config_api.annotation.schemas import AnnotatorOut
from llmbench.contracts.annotation_words import AnnotatorStatus
from llmbench.db.tables import annotator
from llmbench.ids import new_id

UNIQUE_EMAIL = "annotator_org_id_email_key"


def _out(row: Row[Any]) -> AnnotatorOut:
    quality = (row.gold_right + 1) / (row.gold_total + 2)
    values = dict(row._mapping)
    return AnnotatorOut.model_validate(
        {**values, "annotator_id": row.id, "user_id": row.person_id, "quality_score": quality}
    )


async def insert_annotator(connection: AsyncConnection, values: Mapping[str, Any]) -> AnnotatorOut:
    row = await connection.execute(insert(annotator).values(id=new_id(), **values).returning(*annotator.c))
    return _out(row.one())


async def find_person(connection: AsyncConnection, person_id: UUID) -> UUID | None:
    """Return the id of the annotator for a person who signs in; `None` if the person is not an annotator yet."""
    query = select(annotator.c.id).where(annotator.c.person_id == person_id)
    found: UUID | None = (await connection.execute(query)).scalar_one_or_none()
    return found


async def annotator_of_person(connection: AsyncConnection, person_id: UUID) -> UUID:
    """Return the id of the annotator for a person who signs in. If the person has no annotator yet, create one."""
    values = {"id": new_id(), "person_id": person_id, "name": f"Person {str(person_id)[-6:]}"}
    statement = upsert(annotator).values(values)
    # The insertion returns no row if the annotator exists, so the id is read afterwards.
    await connection.execute(statement.on_conflict_do_nothing(index_elements=["org_id", "person_id"]))
    found: UUID = (
        await connection.execute(select(annotator.c.id).where(annotator.c.person_id == person_id))
    ).scalar_one()
    return found


async def find_annotator(connection: AsyncConnection, id_: UUID, *, lock: bool = False) -> AnnotatorOut | None:
    """Return the annotator, or `None` if it does not exist. With `lock`, the row is locked until the transaction
    ends."""
    query = select(annotator).where(annotator.c.id == id_)
    row = (await connection.execute(query.with_for_update(key_share=True) if lock else query)).one_or_none()
    return _out(row) if row else None


async def list_annotators(
    connection: AsyncConnection, *, q: str | None, status: AnnotatorStatus | None, limit: int, offset: int
) -> tuple[list[AnnotatorOut], int]:
    """Return a page of annotators, sorted by name, and the total number."""
    conditions = []
    if q:
        conditions.append(annotator.c.name.icontains(q, autoescape=True))
    if status is not None:
        conditions.append(annotator.c.status == status)
    total = (await connection.execute(select(func.count()).select_from(annotator).where(*conditions))).scalar_one()
    query = select(annotator).where(*conditions).order_by(annotator.c.name, annotator.c.id)
    return [_out(row) for row in await connection.execute(query.limit(limit).offset(offset))], total


async def update_annotator(connection: AsyncConnection, id_: UUID, values: Mapping[str, Any]) -> AnnotatorOut:
    changes = {**values, "version": annotator.c.version + 1, "updated_at": func.now()}
    changed = update(annotator).where(annotator.c.id == id_).values(changes).returning(*annotator.c)
    return _out((await connection.execute(changed)).one())


async def store_agreement(connection: AsyncConnection, rates: Sequence[tuple[UUID, float | None]]) -> None:
    """Store the agreement rate of each annotator: how much their labels agree with other people's, from 0 to 1. A rate
    is `None` if no labels can be compared."""
    # Update the rows in one order, so that two tasks that end at the same time cannot deadlock.
    for id_, rate in sorted(rates, key=lambda each: each[0]):
        await connection.execute(update(annotator).where(annotator.c.id == id_).values(agreement_rate=rate))
