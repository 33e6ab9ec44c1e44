"""Write the labels of people, together with the counters that depend on them, in the caller's transaction.

Like `lease_store`, this module sends its SQL as text. The caller has already locked the annotator and the item with the
statements of `lease_store`.
"""

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from pydantic_core import to_json
from sqlalchemy.ext.asyncio import AsyncConnection

from config_api.annotation.lease_store import Place
from config_api.annotation.schemas import AnnotationIn
from llmbench.contracts.annotation_words import AnnotationStatus
from llmbench.ids import new_id


@dataclass(frozen=True)
class Change:
    """The numbers that are added to the counters when a person's labels of an item are stored or removed. A negative
    number lowers its counter.

    - `labels`: added to the number of the person's labels; skips are not counted.
    - `gold`: added to the number of the person's labels of gold items (items with known labels).
    - `gold_right`: added to the number of right labels among these.
    - `counted`: added to the item's number of labels. Surplus labels (the item had enough already) and labels of
      gold items are not counted.
    - `done`: added to the task's number of complete items.
    """

    labels: int
    gold: int
    gold_right: int
    counted: int
    done: int


# The annotator and the item are locked already.
_COUNTERS: Final = """
    WITH lease AS (DELETE FROM annotation_lease WHERE item_id = $2 AND annotator_id = $3),
    person AS (
        UPDATE annotator SET total_annotations = total_annotations + $4,
            gold_total = gold_total + $5, gold_right = gold_right + $6
        WHERE id = $3 AND ($4 <> 0 OR $5 <> 0 OR $6 <> 0)
    ),
    item AS (
        UPDATE annotation_item SET annotations = annotations + $7, done = annotations + $7 >= $8
        WHERE id = $2 AND $7 <> 0
    )
"""
_PUT: Final = f"""
    {_COUNTERS}
    INSERT INTO human_annotation (
        task_id, item_id, annotator_id, id,
        labels, time_spent_seconds, skipped, skip_reason, flagged, flag_reason, note, surplus
    )
    VALUES ($1, $2, $3, $9, $10::jsonb, $11, $12, $13, $14, $15, $16, $17)
    ON CONFLICT (task_id, item_id, annotator_id) DO UPDATE SET
        labels = excluded.labels, time_spent_seconds = excluded.time_spent_seconds, skipped = excluded.skipped,
        skip_reason = excluded.skip_reason, flagged = excluded.flagged, flag_reason = excluded.flag_reason,
        note = excluded.note, surplus = excluded.surplus, updated_at = now()
    RETURNING id
"""  # noqa: S608  # made of constants
_TAKE_BACK: Final = f"""
    {_COUNTERS}
    DELETE FROM human_annotation WHERE task_id = $1 AND item_id = $2 AND annotator_id = $3
"""  # noqa: S608  # made of constants


async def put_annotation(
    connection: AsyncConnection, place: Place, body: AnnotationIn, change: Change, *, surplus: bool, required: int
) -> UUID:
    """Store the labels, or replace the earlier labels of this person. Return the id of the annotation.

    End the person's lease of the item, and change the counters of labels as `change` says. `surplus` is true if the
    item already had `required` labels, the number that it needs.
    """
    about = (new_id(), to_json(body.labels).decode(), body.time_spent_seconds, body.skipped, body.skip_reason)
    notes = (body.flagged, body.flag_reason, body.note, surplus)
    values = (*_counted(place, change, required), *about, *notes)
    id_: UUID = (await connection.exec_driver_sql(_PUT, values)).scalar_one()
    return id_


async def take_back_annotation(connection: AsyncConnection, place: Place, change: Change, *, required: int) -> None:
    """Delete the labels that this person gave to the item, and change the counters of labels as `change` says.
    `required` is the number of labels that an item needs."""
    await connection.exec_driver_sql(_TAKE_BACK, _counted(place, change, required))


def _counted(place: Place, change: Change, required: int) -> tuple[UUID | int, ...]:
    """Return the parameters `$1` to `$8`, which `_PUT` and `_TAKE_BACK` have in common. `required` is the number of
    labels that an item needs."""
    ids = (place.task_id, place.item_id, place.annotator_id)
    return (*ids, change.labels, change.gold, change.gold_right, change.counted, required)


_COMPLETE: Final = """
    UPDATE annotation_task SET completed_items = completed_items + $2 WHERE id = $1
    RETURNING status, completed_items, total_items
"""
_MOVE: Final = """
    UPDATE annotation_task SET status = $2, completed_at = CASE WHEN $3 THEN now() END,
        version = version + 1, updated_at = now()
    WHERE id = $1
"""


async def count_complete(connection: AsyncConnection, task_id: UUID, done: int) -> int:
    """Add `done`, which is not 0, to the task's number of complete items. Return the new number.

    An ACTIVE task becomes COMPLETED when all its items are complete, and ACTIVE again when an item becomes
    incomplete. The update locks the task's row, which all annotators need. So call this function last in a transaction.
    """
    task = (await connection.exec_driver_sql(_COMPLETE, (task_id, done))).one()
    is_complete = task.completed_items == task.total_items
    if task.status == AnnotationStatus.ACTIVE and is_complete:
        await connection.exec_driver_sql(_MOVE, (task_id, AnnotationStatus.COMPLETED.value, True))
    elif task.status == AnnotationStatus.COMPLETED and not is_complete and done < 0:
        await connection.exec_driver_sql(_MOVE, (task_id, AnnotationStatus.ACTIVE.value, False))
    completed: int = task.completed_items
    return completed
