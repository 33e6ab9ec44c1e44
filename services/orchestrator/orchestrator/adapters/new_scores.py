"""New scores: one for each item that is to be judged and each judge that is to judge it."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Row, Select, Uuid, any_, bindparam, func, insert, literal, select
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.contracts.run_words import ItemStatus, ScoreStatus
from llmbench.db import tables as t
from llmbench.ids import new_id


async def create_scores(connection: AsyncConnection, run_id: UUID) -> dict[UUID, int]:
    """For each item that waits for the judge and each revision of the whole run, unless there is one. How many per
    group; panels are nobody's work."""
    missing = (
        select(t.item.c.id, t.item.c.position, t.run_evaluator.c.evaluator_revision_id, t.run_evaluator.c.group_id)
        .join(t.run_evaluator, t.run_evaluator.c.run_id == t.item.c.run_id)
        .where(t.item.c.run_id == run_id, t.item.c.status == ItemStatus.WAITING_FOR_JUDGE, t.run_evaluator.c.whole)
        .where(~_score_of(t.run_evaluator.c.evaluator_revision_id))
    )
    counts: dict[UUID, int] = {}
    for row in await _insert_scores(connection, run_id, missing):
        if row.group_id is None:
            continue
        counts[row.group_id] = counts.get(row.group_id, 0) + 1
    return counts


async def create_scores_of(
    connection: AsyncConnection, run_id: UUID, revision_id: UUID, group_id: UUID | None, item_ids: Sequence[UUID]
) -> set[UUID]:
    missing = (
        select(
            t.item.c.id,
            t.item.c.position,
            literal(revision_id, Uuid).label("evaluator_revision_id"),
            literal(group_id, Uuid).label("group_id"),
        )
        .where(t.item.c.id == any_(bindparam("items", list(item_ids), ARRAY(Uuid))))
        .where(~_score_of(revision_id))
    )
    return {row.item_id for row in await _insert_scores(connection, run_id, missing)}


def _score_of(revision: UUID | ColumnElement[UUID]) -> ColumnElement[bool]:
    of_item = select(t.score.c.id).where(t.score.c.item_id == t.item.c.id, t.score.c.evaluator_revision_id == revision)
    return of_item.correlate(t.item, t.run_evaluator).exists()


async def _insert_scores(connection: AsyncConnection, run_id: UUID, missing: Select[Any]) -> Sequence[Row[Any]]:
    """In one statement, however many there are. Ids come from Python: PostgreSQL 15 to 17 make no UUIDv7."""
    count = (await connection.execute(select(func.count()).select_from(missing.subquery()))).scalar_one()
    ids = bindparam("ids", [new_id() for _ in range(count)], ARRAY(Uuid))
    fresh = func.unnest(ids).table_valued("id", with_ordinality="n", name="fresh").render_derived()
    numbered = missing.add_columns(func.row_number().over(order_by=t.item.c.position).label("n")).subquery()
    rows = select(
        fresh.c.id,
        literal(run_id, Uuid),
        numbered.c.id,
        numbered.c.evaluator_revision_id,
        numbered.c.group_id,
        numbered.c.position,
        literal(ScoreStatus.NEW.value),
    ).join(fresh, fresh.c.n == numbered.c.n)
    columns = ["id", "run_id", "item_id", "evaluator_revision_id", "group_id", "position", "status"]
    inserting = insert(t.score).from_select(columns, rows).returning(t.score.c.item_id, t.score.c.group_id)
    return (await connection.execute(inserting)).all()
