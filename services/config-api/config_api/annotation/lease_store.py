"""Read and write leases and labels for the people who label: one statement per step, in the caller's transaction.

The row of the annotator is locked first, then that of the item, then that of the task. So the requests of one person
run one after another, and no label of an item is counted twice.

The statements are written as SQL. Built from SQLAlchemy's expressions, they took four times as much processor time per
label.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from pydantic_core import to_json
from sqlalchemy import Row
from sqlalchemy.ext.asyncio import AsyncConnection

from config_api.annotation.schemas import AnnotationTaskOut
from llmbench.contracts.annotation_words import AnnotatorStatus

PLANNER: Final = {"plan_cache_mode": "force_generic_plan", "enable_seqscan": "off", "enable_sort": "off"}
"""Settings of the sessions that send these statements.

With them, PostgreSQL checks the items of a task in their order until one is free, which is soon. For a task of 1,000
items, PostgreSQL would otherwise count the leases of all open items first, and then sort the items. It would also plan
each statement again for each request, which takes longer than the execution.
"""


@dataclass(frozen=True)
class Place:
    """The task, item and annotator that labels belong to."""

    task_id: UUID
    item_id: UUID
    annotator_id: UUID


@dataclass(frozen=True)
class Labeller:
    """An annotator whose row is locked, so that the requests of one person run one after another."""

    id: UUID
    name: str
    status: AnnotatorStatus


@dataclass(frozen=True)
class Leased:
    """An item that is leased to a person. `given` is the number of items of the task that this person labelled or
    skipped. `lacking` is the number of those `given` items that still need labels of other people."""

    id: UUID
    is_gold: bool
    content: Mapping[str, Any]
    leased_until: datetime
    draft: Mapping[str, Any] | None
    given: int
    lacking: int


@dataclass(frozen=True)
class Given:
    """The labels that a person gave to an item. `is_label` is false for a skip. `is_counted` is false for a skip,
    and for surplus labels: the item had enough labels already."""

    labels: Mapping[str, Any]
    is_label: bool
    is_counted: bool


@dataclass(frozen=True)
class LockedItem:
    """An item whose row is locked, with this person's lease and earlier labels (`before`).

    `gold` has the known labels of a gold item. `annotations` is the number of the item's labels, and `done` is true if
    the item needs no more. `characters` is the number of characters of the item's answer.
    """

    id: UUID
    gold: Mapping[str, Any] | None
    annotations: int
    done: bool
    characters: int | None
    was_leased: bool
    before: Given | None


_BEGIN: Final = """
    SELECT annotator.id AS labeller_id, annotator.name AS labeller_name, annotator.status AS labeller_status, task.*
    FROM annotator LEFT JOIN annotation_task AS task ON task.id = $2
    WHERE annotator.id = $1
    FOR NO KEY UPDATE OF annotator
"""


async def begin(
    connection: AsyncConnection, task_id: UUID, annotator_id: UUID
) -> tuple[Labeller | None, AnnotationTaskOut | None]:
    """Lock the annotator's row. Return the annotator, and the task or `None` if it does not exist. Both are `None` if
    the annotator does not exist."""
    row = (await connection.exec_driver_sql(_BEGIN, (annotator_id, task_id))).one_or_none()
    if row is None:
        return None, None
    labeller = Labeller(row.labeller_id, row.labeller_name, AnnotatorStatus(row.labeller_status))
    if row.id is None:
        return labeller, None
    return labeller, AnnotationTaskOut.model_validate({**row._mapping, "task_id": row.id})


_BEGIN_AGAIN: Final = """
    SELECT annotator.status = 'ACTIVE' AND task.status = 'ACTIVE' AS active, task.completed_items
    FROM annotator JOIN annotation_task AS task ON task.id = $2
    WHERE annotator.id = $1
    FOR NO KEY UPDATE OF annotator
"""


async def begin_again(connection: AsyncConnection, task_id: UUID, annotator_id: UUID) -> tuple[bool, int] | None:
    """Lock the annotator's row in a further transaction of the same request. Return whether annotator and task are
    still ACTIVE, and the task's number of complete items.

    Return `None` if the annotator or the task does not exist any more.
    """
    row = (await connection.exec_driver_sql(_BEGIN_AGAIN, (annotator_id, task_id))).one_or_none()
    return None if row is None else (row.active, row.completed_items)


# In all statements that contain these parts, $1 is the id of the task, and $2 that of the annotator.
_WORK: Final = """
    (SELECT count(*) AS given, count(*) FILTER (WHERE NOT own.done AND own.gold IS NULL) AS lacking
    FROM human_annotation JOIN annotation_item AS own ON own.id = human_annotation.item_id
    WHERE human_annotation.task_id = $1 AND human_annotation.annotator_id = $2) AS work
"""
_SHOWN: Final = "item.id, item.gold IS NOT NULL AS is_gold, item.content, lease.leased_until, lease.draft, work.*"
_OPEN: Final = f"""
    SELECT {_SHOWN}
    FROM annotation_lease AS lease JOIN annotation_item AS item ON item.id = lease.item_id, {_WORK}
    WHERE lease.task_id = $1 AND lease.annotator_id = $2 AND lease.leased_until > clock_timestamp()
    ORDER BY lease.created_at LIMIT 1
"""  # noqa: S608  # made of constants


async def open_lease(connection: AsyncConnection, task_id: UUID, annotator_id: UUID) -> Leased | None:
    """Return the item that is leased to this person now; `None` without a lease."""
    return _leased((await connection.exec_driver_sql(_OPEN, (task_id, annotator_id))).one_or_none())


def _leased(row: Row[Any] | None) -> Leased | None:
    if row is None:
        return None
    return Leased(**row._mapping)


_LACKS: Final = """
    item.annotations + (
        SELECT count(*) FROM annotation_lease AS held
        WHERE held.item_id = item.id AND held.leased_until > clock_timestamp()
    ) < $3
"""
_NOT_OWN: Final = """
    NOT EXISTS (
        SELECT FROM human_annotation AS own
        WHERE own.task_id = item.task_id AND own.item_id = item.id AND own.annotator_id = $2
    )
"""
_CANDIDATE: Final = f"""
    SELECT item.id FROM annotation_item AS item
    WHERE item.task_id = $1 AND NOT item.done AND {_NOT_OWN} AND (item.gold IS NOT NULL OR {_LACKS})
        AND item.id <> ALL($4::uuid[])
        AND NOT EXISTS (
            SELECT FROM annotation_lease AS other
            WHERE other.task_id = $1 AND other.annotator_id = $2 AND other.leased_until > clock_timestamp()
        )
    ORDER BY item.position LIMIT 1
    FOR NO KEY UPDATE OF item
"""  # noqa: S608  # made of constants
_MORE: Final = f"""
    SELECT EXISTS (
        SELECT FROM annotation_item AS item
        WHERE item.task_id = $1 AND NOT item.done AND item.gold IS NULL AND {_NOT_OWN} AND {_LACKS}
    )
"""  # noqa: S608  # made of constants
# The candidate was chosen before its row was locked. This statement sees what was committed until then.
_LEASE: Final = f"""
    WITH lease AS (
        INSERT INTO annotation_lease (item_id, annotator_id, task_id, leased_until)
        SELECT item.id, $2, $1, clock_timestamp() + make_interval(secs => $5)
        FROM annotation_item AS item WHERE item.id = $4 AND (item.gold IS NOT NULL OR {_LACKS})
        ON CONFLICT (item_id, annotator_id) DO UPDATE SET leased_until = excluded.leased_until
        RETURNING item_id, leased_until, draft
    )
    SELECT {_SHOWN} FROM lease JOIN annotation_item AS item ON item.id = lease.item_id, {_WORK}
"""  # noqa: S608  # made of constants


async def take(
    connection: AsyncConnection, task_id: UUID, annotator_id: UUID, *, required: int, seconds: int, wait: bool
) -> Leased | None:
    """Lease the next item to this person, and return it. Return `None` if there is no item for them, or if they already
    have a lease.

    An item can be leased while its labels and open leases together are fewer than `required`. Items that other requests
    have locked are skipped, so that people do not queue for one row. If all are locked, wait for one if `wait` is true,
    else return `None`. `wait` may be true only in a transaction that has locked no item.
    """
    passed: list[UUID] = []
    waits = False
    while True:
        statement = _CANDIDATE if waits else f"{_CANDIDATE} SKIP LOCKED"
        candidate = await connection.exec_driver_sql(statement, (task_id, annotator_id, required, passed))
        item_id: UUID | None = candidate.scalar_one_or_none()
        if item_id is None:
            if waits or not wait:
                return None
            waits = True
            continue
        values = (task_id, annotator_id, required, item_id, float(seconds))
        if leased := _leased((await connection.exec_driver_sql(_LEASE, values)).one_or_none()):
            return leased
        passed.append(item_id)


async def has_more(connection: AsyncConnection, task_id: UUID, annotator_id: UUID, *, required: int) -> bool:
    """Return whether a further item of the task can be leased to this person. Gold items (items with known labels) do
    not count."""
    there = await connection.exec_driver_sql(_MORE, (task_id, annotator_id, required))
    return bool(there.scalar_one())


async def end_lease(connection: AsyncConnection, place: Place) -> None:
    statement = "DELETE FROM annotation_lease WHERE item_id = $1 AND annotator_id = $2"
    await connection.exec_driver_sql(statement, (place.item_id, place.annotator_id))


_LOCK_ITEM: Final = """
    SELECT item.id, item.gold, item.annotations, item.done, length(item.content ->> 'output') AS characters,
        lease.item_id IS NOT NULL AS was_leased, given.id AS given_id, given.labels, given.skipped, given.surplus
    FROM annotation_item AS item
    LEFT JOIN annotation_lease AS lease ON lease.item_id = item.id AND lease.annotator_id = $3
    LEFT JOIN human_annotation AS given
        ON given.task_id = item.task_id AND given.item_id = item.id AND given.annotator_id = $3
    WHERE item.task_id = $1 AND item.id = $2
    FOR NO KEY UPDATE OF item
"""


async def lock_item(connection: AsyncConnection, place: Place) -> LockedItem | None:
    """Lock the item's row, and return the item, or `None` if it does not exist.

    The caller has locked the row of the person, so the person's lease and labels do not change meanwhile.
    """
    values = (place.task_id, place.item_id, place.annotator_id)
    row = (await connection.exec_driver_sql(_LOCK_ITEM, values)).one_or_none()
    if row is None:
        return None
    before = None
    if row.given_id is not None:
        counted = not row.skipped and not row.surplus
        before = Given(row.labels, not row.skipped, counted)
    return LockedItem(row.id, row.gold, row.annotations, row.done, row.characters, row.was_leased, before)


async def last_item(connection: AsyncConnection, task_id: UUID, annotator_id: UUID) -> UUID | None:
    """Return the id of the item that this person labelled last; `None` if they labelled no item of the task."""
    statement = """
        SELECT item_id FROM human_annotation WHERE task_id = $1 AND annotator_id = $2 ORDER BY id DESC LIMIT 1
    """
    last: UUID | None = (await connection.exec_driver_sql(statement, (task_id, annotator_id))).scalar_one_or_none()
    return last


_SAVE: Final = """
    UPDATE annotation_lease SET draft = $3::jsonb, leased_until = CASE
        WHEN $4::float8 IS NULL THEN leased_until ELSE clock_timestamp() + make_interval(secs => $4::float8) END
    WHERE item_id = $1 AND annotator_id = $2 AND leased_until > clock_timestamp()
    RETURNING leased_until
"""


async def save_draft(
    connection: AsyncConnection, place: Place, labels: Mapping[str, Any], *, seconds: int | None
) -> datetime | None:
    """Store a draft of the labels, and return the time at which the lease ends.

    The lease is set to expire in `seconds`; with `None`, its end stays unchanged. Return `None` if this person has no
    lease of the item now.
    """
    until = None if seconds is None else float(seconds)
    values = (place.item_id, place.annotator_id, to_json(labels).decode(), until)
    ended: datetime | None = (await connection.exec_driver_sql(_SAVE, values)).scalar_one_or_none()
    return ended


# End the person's lease of another item, because a person has one lease at a time.
_RETURN: Final = "DELETE FROM annotation_lease WHERE task_id = $1 AND annotator_id = $2"
_AGAIN: Final = """
    INSERT INTO annotation_lease (item_id, annotator_id, task_id, leased_until, draft)
    VALUES ($1, $2, $3, clock_timestamp() + make_interval(secs => $4), $5::jsonb)
"""


async def lease_again(connection: AsyncConnection, place: Place, draft: Mapping[str, Any], *, seconds: int) -> None:
    """Lease the item to this person again, for `seconds`. `draft` has the labels that were just removed."""
    await connection.exec_driver_sql(_RETURN, (place.task_id, place.annotator_id))
    values = (place.item_id, place.annotator_id, place.task_id, float(seconds), to_json(draft).decode())
    await connection.exec_driver_sql(_AGAIN, values)
