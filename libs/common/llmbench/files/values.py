"""JSON values as they come in from outside, bounded and fit to be stored. Pure."""

import json
from typing import Any, Final

MAX_JSON_CHARACTERS: Final = 16_000


def storable(value: dict[str, Any]) -> dict[str, Any]:
    """Raises `ValueError`."""
    require_storable(value, most=MAX_JSON_CHARACTERS, what="an object of JSON")
    return value


def require_storable(value: Any, *, most: int, what: str = "JSON") -> None:
    """Raises `ValueError`: PostgreSQL stores no NUL, UTF-8 no half of a pair, JSON no infinity."""
    try:
        written = json.dumps(value, allow_nan=False, ensure_ascii=False)
        written.encode()
    except ValueError:
        raise ValueError(f"must be {what}") from None
    if len(written) > most:
        raise ValueError(f"must not have more than {most:,} characters")
    if "\\u0000" in written:
        raise ValueError("must not contain NUL characters")
