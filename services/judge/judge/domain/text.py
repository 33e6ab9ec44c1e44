"""Texts of unknown origin in what we send on: bounded, and without what JSON or a database cannot hold."""


def printable(text: str, limit: int) -> str:
    """At most `limit` characters; NUL and lone surrogates become replacement characters."""
    text = text if len(text) <= limit else text[: limit - 1] + "…"
    return text.replace("\x00", "\ufffd").encode("utf-8", "replace").decode()
