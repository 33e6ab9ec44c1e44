"""Keyset paging: a cursor names the last row of a page, so pages stay correct while rows are added and deleted.

A cursor is opaque to clients: base64url of `[order, key]`, or `[order, key, tie]` where rows may share a key. `order`
prevents using a cursor in a listing with another order.
"""

import base64
import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Literal

from fastapi import Query

from config_api.problems import invalid

MAX_LIMIT = 500
_MAX_CURSOR_CHARACTERS = 4096
_MAX_POSITION = 2**63 - 1

Order = Literal[
    "name", "-name", "position", "category", "-category", "created_at", "-created_at", "updated_at", "-updated_at"
]
Limit = Annotated[int, Query(ge=1, le=MAX_LIMIT, description="At most this many per page.")]
CursorText = Annotated[
    str | None, Query(max_length=_MAX_CURSOR_CHARACTERS, description="`next_cursor` of the previous page.")
]


@dataclass(frozen=True)
class After:
    """A position in a listing, directly after a row.

    `key` is the row's value in the column by which the listing is sorted. It is a name, a category, a time (ISO 8601 in
    UTC), or a position within a collection. `tie` orders rows with equal keys: it is the
    row's name, or `None` if keys are unique.
    """

    order: Order
    key: str | int
    tie: str | None = None


def encode(after: After) -> str:
    parts = [after.order, after.key, *([] if after.tie is None else [after.tie])]
    raw = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
    return base64.urlsafe_b64encode(raw.encode()).decode().rstrip("=")


def decode(cursor: str, *, order: Order) -> After:
    """Decode a cursor. Raises a 422 problem unless it comes from `encode` and from a listing with the same order."""
    try:
        padded = cursor.encode("ascii") + b"=" * (-len(cursor) % 4)
        found_order, key, *tie = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
        after = After(order, key, *tie)
        # Base64 has several spellings of one value; only the one that `encode` makes is valid.
        valid = found_order == order and _is_key(after) and encode(after) == cursor
    except (ValueError, TypeError, RecursionError):
        valid = False
    if not valid:
        raise invalid("cursor", "is not a cursor of this listing; take next_cursor of its previous page")
    return after


def _is_key(after: After) -> bool:
    if after.order == "position":
        return type(after.key) is int and 0 <= after.key <= _MAX_POSITION and after.tie is None
    if after.order in ("name", "-name"):
        return _is_text(after.key) and after.tie is None
    return _is_text(after.tie) and (_is_text(after.key) if "category" in after.order else _is_time(after.key))


def _is_text(key: object) -> bool:
    return isinstance(key, str) and "\x00" not in key


def _is_time(key: object) -> bool:
    return isinstance(key, str) and datetime.fromisoformat(key).utcoffset() == timedelta(0)
