"""Encode and decode keyset cursors, which are opaque to the client."""

import base64
import binascii
import json
from uuid import UUID

from llmbench.errors import FieldError, Problem


def encode(*parts: object) -> str:
    return base64.urlsafe_b64encode(json.dumps([str(part) for part in parts]).encode()).decode().rstrip("=")


def decode(cursor: str, count: int) -> list[str]:
    """Return the parts of a cursor. Raises a 422 `Problem` if it is not a valid cursor of `count` parts."""
    try:
        parts = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (binascii.Error, ValueError, RecursionError):
        raise garbage() from None
    if not isinstance(parts, list) or len(parts) != count or not all(isinstance(part, str) for part in parts):
        raise garbage()
    return parts


def id_cursor(cursor: str | None) -> UUID | None:
    """Return the id of the last row before the page, for a list that is sorted by id; `None` without a cursor. Raises a
    422 `Problem` for an invalid cursor."""
    if cursor is None:
        return None
    (id_,) = decode(cursor, 1)
    try:
        return UUID(id_)
    except ValueError:
        raise garbage() from None


def garbage() -> Problem:
    message = "not a cursor of this list: use next_cursor of the previous page, or leave it out"
    return Problem(422, "Invalid cursor", message, errors=[FieldError("cursor", message)])
