"""Keyset cursors: opaque to the client, checked when they come back."""

import base64
import binascii
import json
from datetime import UTC, datetime
from uuid import UUID

from llmbench.errors import FieldError, Problem


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


def item_cursor(cursor: str | None) -> int | None:
    if cursor is None:
        return None
    (position,) = _decode(cursor, 1)
    if not position.isascii() or not position.isdigit() or len(position) > 9:
        raise _garbage()
    return int(position)


def _garbage() -> Problem:
    message = "not a cursor of this list: use next_cursor of the page before, or leave it out"
    return Problem(422, "Invalid cursor", message, errors=[FieldError("cursor", message)])
