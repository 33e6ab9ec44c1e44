"""Encode and decode the cursors of the lists of runs and of items."""

import json
import math
import re
from datetime import UTC, datetime
from uuid import UUID

from llmbench.contracts.item_changed import ItemRow
from orchestrator.kernel.api.cursor import decode, encode, garbage
from orchestrator.results.ports.queries import ItemPlace, SortKey

_TEXTS = frozenset(
    {SortKey.TASK_ID, SortKey.CATEGORY, SortKey.TARGET, SortKey.STATUS, SortKey.MODEL, SortKey.FINISH_REASON}
)


def run_cursor(cursor: str | None) -> tuple[datetime, UUID] | None:
    """Return the creation time and the id of the last run before the page; `None` without a cursor. Raises a 422
    `Problem` for an invalid cursor."""
    if cursor is None:
        return None
    created_at, id_ = decode(cursor, 2)
    try:
        moment = datetime.fromisoformat(created_at)
        if moment.tzinfo is None:
            raise garbage()
        # A time with an offset near year 1 or 9999 cannot be expressed in UTC.
        return moment.astimezone(UTC), UUID(id_)
    except (ValueError, OverflowError):
        raise garbage() from None


def item_place(row: ItemRow, sort: SortKey, order: str) -> str:
    """Return the cursor of the page that starts after this row."""
    value = row.target_label if sort == SortKey.TARGET else getattr(row, sort.value)
    return encode(sort.value, order, json.dumps(value), row.position)


def item_cursor(cursor: str | None, sort: SortKey, order: str) -> ItemPlace | None:
    """Return the place of the last item before the page; `None` without a cursor. Raises a 422 `Problem` if the cursor
    is invalid or for another sort order."""
    if cursor is None:
        return None
    sorted_by, ordered, text, position = decode(cursor, 4)
    if (sorted_by, ordered) != (sort.value, order) or not re.fullmatch(r"[0-9]{1,9}", position):
        raise garbage()
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise garbage() from None
    expected = str if sort in _TEXTS else int | float
    if isinstance(value, bool) or not (value is None or isinstance(value, expected)):
        raise garbage()
    if isinstance(value, float) and not math.isfinite(value):
        raise garbage()
    if isinstance(value, str) and "\0" in value:
        raise garbage()
    return ItemPlace(value=value, position=int(position))
