"""Text of strangers made safe to store and to show: no NUL, no lone surrogates, no secrets, bounded."""

from collections.abc import Iterable
from typing import Any

MESSAGE_LIMIT = 500
"""Characters of a message; long enough for the cause, short enough for a log line."""
_LEAST_SECRET = 4


def storable(text: str) -> str:
    """PostgreSQL holds neither NUL nor lone surrogates: both become U+FFFD; split pairs are joined."""
    if text.isascii() and "\x00" not in text:
        return text
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return whole.replace("\x00", "\ufffd")


def storable_json(value: Any) -> Any:
    """The same for every string inside a JSON value."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, dict):
        return {storable(str(key)): storable_json(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [storable_json(part) for part in value]
    return value


def one_line(text: str, limit: int = MESSAGE_LIMIT) -> str:
    """Whitespace folded, cut at `limit` characters with an ellipsis."""
    # Folding costs time proportional to the text: cut first, generously.
    line = " ".join(storable(text[: limit * 4]).split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def redacted(text: str, secrets: Iterable[str]) -> str:
    """`text` without any of `secrets`, wherever a provider repeated them (a 401 often does)."""
    for secret in secrets:
        # `Authorization: Bearer KEY` is repeated as KEY alone.
        for part in (secret, *secret.split()):
            if len(part) >= _LEAST_SECRET and part.lower() not in ("bearer", "basic", "token"):
                text = text.replace(part, "•••")
    return text
