"""Sanitise untrusted text so that it can be stored and shown: no NUL, no lone surrogates, bounded length."""

from typing import Any

MESSAGE_LIMIT = 500
"""The maximum number of characters of a message: enough for the cause, short enough for a log line."""


def storable(text: str) -> str:
    """Replace NUL and lone surrogates, which PostgreSQL cannot store, with U+FFFD; join split surrogate pairs."""
    if text.isascii() and "\x00" not in text:
        return text
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return joined.replace("\x00", "\ufffd")


def storable_json(value: Any) -> Any:
    """Apply `storable` to every string within a JSON value."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, dict):
        return {storable(str(key)): storable_json(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [storable_json(part) for part in value]
    return value


def one_line(text: str, limit: int = MESSAGE_LIMIT) -> str:
    """Return the text as one line of at most `limit` characters; a text that is cut ends with "…".

    Any sequence of white space becomes one space.
    """
    # More words than `limit` are cut anyway. `storable` joins two characters at most, so twice the limit is enough.
    line = storable(" ".join(text.split(maxsplit=limit))[: 2 * limit + 2])
    return line if len(line) <= limit else line[: limit - 1] + "…"
