"""Keyset cursors: opaque to the client, checked when they come back."""

import base64
import binascii
import json
import math
import re
from datetime import UTC, datetime
from uuid import UUID

from llmbench.contracts.item_changed import ItemRow
from llmbench.errors import FieldError, Problem
from orchestrator.ports.comparison import CasePlace, CaseSort
from orchestrator.ports.queries import ItemPlace, SortKey

_TEXTS = frozenset({SortKey.TASK_ID, SortKey.CATEGORY, SortKey.TARGET, SortKey.STATUS})


def encode(*parts: object) -> str:
    return base64.urlsafe_b64encode(json.dumps([str(part) for part in parts]).encode()).decode().rstrip("=")


def _decode(cursor: str, count: int) -> list[str]:
    try:
        parts = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (binascii.Error, ValueError, RecursionError):
        raise _garbage() from None
    if not isinstance(parts, list) or len(parts) != count or not all(isinstance(part, str) for part in parts):
        raise _garbage()
    return parts


def run_cursor(cursor: str | None) -> tuple[datetime, UUID] | None:
    """Raises a 422 `Problem` for what is no cursor of ours."""
    if cursor is None:
        return None
    created_at, id_ = _decode(cursor, 2)
    try:
        moment = datetime.fromisoformat(created_at)
        if moment.tzinfo is None:
            raise _garbage()
        # An hour beside year 1 or 9999 has no UTC.
        return moment.astimezone(UTC), UUID(id_)
    except (ValueError, OverflowError):
        raise _garbage() from None


def item_place(row: ItemRow, sort: SortKey, order: str) -> str:
    """The cursor of the page that follows `row`."""
    value = row.target_label if sort == SortKey.TARGET else getattr(row, sort.value)
    return encode(sort.value, order, json.dumps(value), row.position)


def item_cursor(cursor: str | None, sort: SortKey, order: str) -> ItemPlace | None:
    """Raises a 422 `Problem` for what is no cursor of this list in this order."""
    if cursor is None:
        return None
    sorted_by, ordered, text, position = _decode(cursor, 4)
    if (sorted_by, ordered) != (sort.value, order) or not re.fullmatch(r"[0-9]{1,9}", position):
        raise _garbage()
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise _garbage() from None
    wanted = str if sort in _TEXTS else int | float
    if isinstance(value, bool) or not (value is None or isinstance(value, wanted)):
        raise _garbage()
    if isinstance(value, float) and not math.isfinite(value):
        raise _garbage()
    if isinstance(value, str) and "\0" in value:
        raise _garbage()
    return ItemPlace(value=value, position=int(position))


def case_place(place: CasePlace, sort: CaseSort) -> str:
    """The cursor of the page of compared cases that follows `place`."""
    return encode(sort, json.dumps(place.difference), place.rank, place.task_id)


def case_cursor(cursor: str | None, sort: CaseSort) -> CasePlace | None:
    """Raises a 422 `Problem` for what is no cursor of this list in this order."""
    if cursor is None:
        return None
    sorted_by, difference, rank, task_id = _decode(cursor, 4)
    try:
        value = json.loads(difference)
    except (ValueError, RecursionError):
        raise _garbage() from None
    number = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= 1
    if sorted_by != sort or not (value is None or number) or not re.fullmatch(r"[0-9]{1,10}", rank) or "\0" in task_id:
        raise _garbage()
    # Neither a number that no column holds, nor half a surrogate pair.
    if int(rank) >= 2**31 or task_id.encode(errors="ignore").decode() != task_id:
        raise _garbage()
    return CasePlace(difference=value, rank=int(rank), task_id=task_id)


def _garbage() -> Problem:
    message = "not a cursor of this list: use next_cursor of the page before, or leave it out"
    return Problem(422, "Invalid cursor", message, errors=[FieldError("cursor", message)])
