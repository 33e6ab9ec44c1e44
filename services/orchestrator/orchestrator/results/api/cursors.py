"""Encode and decode the cursors of the lists of runs and of items."""

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from orchestrator.kernel.api.cursor import decode, encode, garbage
from orchestrator.results.ports.item_schemas import ItemOut
from orchestrator.results.ports.queries import ItemOrder, ItemPlace, SortKey
from orchestrator.results.ports.run_lists import Grouping, RunOrder, RunPlace, RunSortKey

_TEXTS = frozenset(
    {SortKey.TASK_ID, SortKey.CATEGORY, SortKey.TARGET, SortKey.STATUS, SortKey.MODEL, SortKey.FINISH_REASON}
)

_RUN_TYPES: Mapping[RunSortKey, type[str] | type[int]] = {
    **dict.fromkeys((RunSortKey.CREATED_AT, RunSortKey.FINISHED_AT, RunSortKey.NAME), str),
    **dict.fromkeys((RunSortKey.STATUS, RunSortKey.CASES, RunSortKey.FAILED), int),
}
"""The types of the sort keys in a cursor; the others are floats."""
_RUN_TIMES = frozenset({RunSortKey.CREATED_AT, RunSortKey.FINISHED_AT})
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_LARGEST = 1e15
_LARGEST_INTEGER = 2**31 - 1


def time_cursor(cursor: str | None) -> tuple[datetime, UUID] | None:
    """Return the time and the id of the last row before the page, for a list that is sorted by them; `None` without a
    cursor. Raises a 422 `Problem` for an invalid cursor."""
    if cursor is None:
        return None
    moment, id_ = decode(cursor, 2)
    try:
        return _moment(moment), UUID(id_)
    except (ValueError, OverflowError):
        raise garbage() from None


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise garbage()
    # A time with an offset near year 1 or 9999 cannot be expressed in UTC.
    return moment.astimezone(UTC)


def run_place(place: RunPlace, order: RunOrder) -> str:
    """Return the cursor of the page that starts after this run."""
    value = place.value.isoformat() if isinstance(place.value, datetime) else place.value
    return encode(order.key.value, _direction(descending=order.descending), json.dumps(value), place.run_id)


def run_cursor(cursor: str | None, order: RunOrder) -> RunPlace | None:
    """Return the position of the last run before the page, as the cursor encodes it. Return `None` without a cursor.
    Raises a 422 `Problem` if the cursor is invalid or was made for another sort order."""
    if cursor is None:
        return None
    key, direction, text, id_ = decode(cursor, 4)
    if (key, direction) != (order.key.value, _direction(descending=order.descending)):
        raise garbage()
    value = _value(text, _RUN_TYPES.get(order.key, float))
    try:
        run_id = UUID(id_)
        if order.key not in _RUN_TIMES or value is None:
            return RunPlace(value=value, run_id=run_id)
        return RunPlace(value=_moment(str(value)), run_id=run_id)
    except (ValueError, OverflowError):
        raise garbage() from None


def group_cursor(cursor: str | None, grouping: Grouping) -> str | None:
    """Return the key of the last group before the page; `None` without a cursor. Raises a 422 `Problem` if the cursor
    is invalid or was made for another grouping."""
    if cursor is None:
        return None
    by, key = decode(cursor, 2)
    if by != grouping.by or _UNSTORABLE.search(key):
        raise garbage()
    return key


def item_place(row: ItemOut, order: ItemOrder) -> str:
    """Return the cursor of the page that starts after this row."""
    return encode(*_names(order), json.dumps(_sorted_by(row, order)), row.position)


def _sorted_by(row: ItemOut, order: ItemOrder) -> Any:
    if order.key == SortKey.EVALUATOR_SCORE:
        return next((score.raw for score in row.scores if score.evaluator_revision_id == order.revision_id), None)
    return row.target_label if order.key == SortKey.TARGET else getattr(row, order.key.value)


def _names(order: ItemOrder) -> tuple[str, str]:
    """Return the sort key and the direction, as a cursor stores them. The key includes the evaluator revision by whose
    scores items are sorted."""
    key = order.key.value if order.revision_id is None else f"{order.key.value}:{order.revision_id}"
    return key, _direction(descending=order.descending)


def _direction(*, descending: bool) -> str:
    return "desc" if descending else "asc"


def _value(text: str, expected: type[str] | type[int] | type[float]) -> str | float | None:
    """Return the value that a cursor contains as the JSON `text`. Raises a 422 `Problem` unless the value is null or of
    the `expected` type. Also raises one if the database could not read the value."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise garbage() from None
    match value:
        case None:
            return None
        case str() if expected is str and not _UNSTORABLE.search(value):
            return value
        case int() if expected is int and not isinstance(value, bool) and abs(value) <= _LARGEST_INTEGER:
            return value
        case int() | float() if expected is float and not isinstance(value, bool) and abs(value) <= _LARGEST:
            # Comparisons with NaN are false.
            return value
    raise garbage()


def item_cursor(cursor: str | None, order: ItemOrder) -> ItemPlace | None:
    """Return the position of the last item before the page, as the cursor encodes it. Return `None` without a cursor.
    Raises a 422 `Problem` if the cursor is invalid or was made for another sort order."""
    if cursor is None:
        return None
    sorted_by, ordered, text, position = decode(cursor, 4)
    if (sorted_by, ordered) != _names(order) or not re.fullmatch(r"[0-9]{1,9}", position):
        raise garbage()
    value = _value(text, str if order.key in _TEXTS else float)
    return ItemPlace(value=value, position=int(position))
