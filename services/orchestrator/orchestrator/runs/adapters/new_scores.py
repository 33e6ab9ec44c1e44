"""Create scores: one per item and evaluator revision that has to score the item."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from sqlalchemy import ColumnElement, Insert, Select, Uuid, any_, bindparam, func, insert, literal, or_, select
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.contracts.run_words import ItemStatus, ScoreStatus
from llmbench.db import tables as t
from llmbench.ids import new_id

_ITEMS_AT_ONCE: Final = 10_000
"""The number of items whose scores one statement creates. It limits the number of ids in memory, however many items the
run has."""


async def create_scores(connection: AsyncConnection, run_id: UUID) -> dict[UUID, int]:
    """Create the missing scores of all items in WAITING_FOR_JUDGE. Return the number of new scores per model group.

    Each evaluator revision of the run scores each such item, unless the evaluator's filters exclude the case.
    Revisions that were added later to score only some answers are left out. Scores of panels are created but not
    counted, because a panel makes no calls and has no group.
    """
    missing = _missing(run_id)
    last = select(func.max(t.item.c.position)).where(t.item.c.run_id == run_id)
    counts: Counter[UUID] = Counter()
    for begin in range(0, ((await connection.execute(last)).scalar_one() or 0) + 1, _ITEMS_AT_ONCE):
        batch = missing.where(t.item.c.position.between(begin, begin + _ITEMS_AT_ONCE - 1))
        counts.update(await _create(connection, run_id, batch))
    return dict(counts)


async def create_scores_of_items(
    connection: AsyncConnection, run_id: UUID, item_ids: Sequence[UUID]
) -> dict[UUID, int]:
    """Create the missing scores of these items, which have to be in WAITING_FOR_JUDGE. Return the number of new scores
    per model group. Evaluators are chosen, and scores counted, as in `create_scores`."""
    missing = _missing(run_id).where(t.item.c.id == any_(bindparam("items", list(item_ids), ARRAY(Uuid))))
    return await _create(connection, run_id, missing)


def _missing(run_id: UUID) -> Select[Any]:
    return (
        select(t.item.c.id, t.item.c.position, t.run_evaluator.c.evaluator_revision_id, t.run_evaluator.c.group_id)
        .join(t.run_evaluator, t.run_evaluator.c.run_id == t.item.c.run_id)
        .where(t.item.c.run_id == run_id, t.item.c.status == ItemStatus.WAITING_FOR_JUDGE, t.run_evaluator.c.whole)
        .where(~_score_of(t.run_evaluator.c.evaluator_revision_id))
        .where(applies())
    )


async def _create(connection: AsyncConnection, run_id: UUID, missing: Select[Any]) -> dict[UUID, int]:
    inserted = _inserting(run_id, missing).returning(t.score.c.group_id).cte("made")
    per_group = select(inserted.c.group_id, func.count().label("n")).group_by(inserted.c.group_id)
    per_group = per_group.where(inserted.c.group_id.is_not(None))
    rows = await connection.execute(per_group, await _fresh_ids(connection, missing))
    return {row.group_id: row.n for row in rows}


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
        .join(t.run_evaluator, t.run_evaluator.c.run_id == t.item.c.run_id)
        .where(t.item.c.id == any_(bindparam("items", list(item_ids), ARRAY(Uuid))))
        .where(t.run_evaluator.c.evaluator_revision_id == revision_id, applies())
        .where(~_score_of(revision_id))
    )
    inserting = _inserting(run_id, missing).returning(t.score.c.item_id)
    return set((await connection.execute(inserting, await _fresh_ids(connection, missing))).scalars())


def applies() -> ColumnElement[bool]:
    """Return the SQL condition under which the evaluator in the row of `run_evaluator` scores the case in the row of
    `item`. The condition means the same as `orchestrator.kernel.domain.limits.Limits.apply_to`."""
    only, unless, case = t.run_evaluator.c.only, t.run_evaluator.c.unless, t.item.c.case
    return or_(only.is_(None), case.contains(only)) & or_(unless.is_(None), ~case.contains(unless))


def _score_of(revision: UUID | ColumnElement[UUID]) -> ColumnElement[bool]:
    of_item = select(t.score.c.id).where(t.score.c.item_id == t.item.c.id, t.score.c.evaluator_revision_id == revision)
    return of_item.correlate(t.item, t.run_evaluator).exists()


async def _fresh_ids(connection: AsyncConnection, missing: Select[Any]) -> dict[str, list[UUID]]:
    """Return `{"ids": […]}` with a new id for each row of the query `missing`, which selects the scores to create.

    Python generates the ids, because PostgreSQL 15 to 17 cannot generate UUIDv7. They are passed as a parameter of the
    inserting statement, so that its text stays the same and can be cached.
    """
    count = (await connection.execute(select(func.count()).select_from(missing.subquery()))).scalar_one()
    return {"ids": [new_id() for _ in range(count)]}


def _inserting(run_id: UUID, missing: Select[Any]) -> Insert:
    """Return the statement that inserts the scores selected by the query `missing`. The statement takes the ids of the
    new scores as its parameter `ids`."""
    ids = bindparam("ids", type_=ARRAY(Uuid))
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
    return insert(t.score).from_select(columns, rows)
