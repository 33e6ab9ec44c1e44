"""Read JSON lines: one object per line."""

from collections.abc import Iterator
from typing import Any

from llmbench.files.json_text import NotJson, after_space, value_at


def rows(text: Iterator[str], what: str = "row") -> Iterator[tuple[int, dict[str, Any] | str]]:
    """Yield each line that is not blank as a pair: its number, counted from 1, and its object. If the line is not
    exactly one object, the second value is a message instead.

    `text` yields lines. `what` is the noun for an object in messages.

    >>> list(rows(iter(['{"id": 1}', " ", "[]", "{}{}"])))
    [(1, {'id': 1}), (3, 'is not an object: a row is {…}'), (4, 'has something after its object')]
    """
    for number, line in enumerate(text, start=1):
        if line.strip():
            yield number, _object(line, what)


def _object(line: str, what: str) -> dict[str, Any] | str:
    try:
        value, end = value_at(line, after_space(line, 0))
    except NotJson as error:
        return str(error)
    if after_space(line, end) != len(line):
        return "has something after its object"
    return value if isinstance(value, dict) else f"is not an object: a {what} is {{…}}"
