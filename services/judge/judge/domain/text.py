"""Cut untrusted texts before they are sent, and replace characters that JSON or a database cannot hold."""

from typing import Any


def printable(text: str, limit: int) -> str:
    """Return `text`, cut to `limit` characters if it is longer; the last one is then an ellipsis.

    NUL becomes U+FFFD, and lone surrogates become question marks.
    """
    text = text if len(text) <= limit else text[: limit - 1] + "…"
    return text.replace("\x00", "\ufffd").encode("utf-8", "replace").decode()


def printable_json(value: Any, limit: int) -> Any:
    """Return the JSON value with every string in it, including the names of members, made printable and cut to `limit`
    characters (see `printable`)."""
    if isinstance(value, str):
        return printable(value, limit)
    if isinstance(value, list | tuple):
        return [printable_json(each, limit) for each in value]
    if isinstance(value, dict):
        return {printable(str(name), limit): printable_json(each, limit) for name, each in value.items()}
    return value
