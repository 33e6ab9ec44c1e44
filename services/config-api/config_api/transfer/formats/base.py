"""What a format of task files is. Pure: text in, rows out, and back; no database, no HTTP.

A format reads a text stream that is known to be UTF-8 (a byte order mark is gone) and yields what it
finds, one thing after another, so that a large file is never held as a whole where the format allows it.
Whether a row makes a task is decided later, the same way for all formats.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TextIO

Fields = Mapping[str, object]

FIELDS: Final = (
    "task_id",
    "category",
    "subcategory",
    "question",
    "excellent",
    "good",
    "pass",
    "incorrect_answer_direction",
    "system_prompt",
    "conversation",
    "accepted_answers",
    "metadata",
    "checks",
)
"""The fields of a task, in the order in which files have them."""


STRUCTURED: Final = frozenset(("conversation", "accepted_answers", "metadata", "checks"))
"""Those that are no texts: a file of texts has them as JSON."""


@dataclass(frozen=True)
class Row:
    """One task as the file has it; `line` is where it starts, counted from 1."""

    line: int
    fields: Fields


@dataclass(frozen=True)
class Fault:
    """A row that cannot be a task, and why. The rows after it can still be read."""

    line: int
    field: str | None
    message: str


@dataclass(frozen=True)
class Note:
    """What the file says and a task cannot hold."""

    line: int
    message: str


@dataclass(frozen=True)
class Suggested:
    """An evaluator of a run that the row before it asks for, as `POST /api/runs` takes it."""

    evaluator: Mapping[str, object]


Found = Row | Fault | Note | Suggested


@dataclass(frozen=True)
class Writing:
    """How tasks become a file: `opening`, then `entry(fields, is_first)` for each, then `closing`.

    Fields without a value are left out of what `entry` is given.
    """

    media_type: str
    extension: str
    entry: Callable[[Mapping[str, Any], bool], str]
    opening: str = ""
    closing: str = ""


@dataclass(frozen=True)
class Example:
    """A file with what has to be found in it."""

    text: str
    found: tuple[Found, ...]
    file_name: str = "example"


Reading = Callable[[TextIO, str], Iterator[Found]]
"""`read(text, stem)`: `stem` is the file's name without its extension, for formats whose rows have no name."""


@dataclass(frozen=True)
class Format:
    """`file_names` are the patterns by which a file is recognised; the longest that fits wins."""

    name: str
    title: str
    read: Reading
    file_names: tuple[str, ...]
    examples: tuple[Example, ...]
    writing: Writing | None = None


def named(stem: str, number: int) -> str:
    """A task id for a row that has none: the same row gets the same one at the next import."""
    return f"{stem[:240]}-{number}"
