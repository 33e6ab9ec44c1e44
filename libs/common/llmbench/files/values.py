"""Check that JSON values in requests and files are bounded and can be stored."""

import json
import re
from typing import Any, Final

MAX_JSON_CHARACTERS: Final = 16_000
_NUL: Final = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")


def storable(value: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON object unchanged. Raises `ValueError` when it is longer than `MAX_JSON_CHARACTERS` or cannot be
    stored (`require_storable`)."""
    require_storable(value, most=MAX_JSON_CHARACTERS, what="an object of JSON")
    return value


def require_storable(value: Any, *, most: int, what: str = "JSON") -> None:
    """Raise `ValueError` for a value that has more than `most` characters as JSON, or that cannot be stored.

    A NUL, half of a surrogate pair, infinity and NaN cannot be stored. `what` names the value in the error.
    """
    try:
        written = json.dumps(value, allow_nan=False, ensure_ascii=False)
        written.encode()
    except ValueError:
        raise ValueError(f"must be {what}") from None
    if len(written) > most:
        raise ValueError(f"must not have more than {most:,} characters")
    if has_nul(written):
        raise ValueError("must not contain NUL characters")


def has_nul(written: str) -> bool:
    """Return whether a text of JSON contains a NUL character, which PostgreSQL cannot store.

    JSON doubles each backslash of the text itself. So `u0000` is a NUL only after an odd number of backslashes.
    """
    return "\\u0000" in written and _NUL.search(written) is not None
