"""Define the interface of a format of task files, which converts between text and rows.

A format reads a text stream of valid UTF-8 without a byte order mark, and yields one item after another. Most formats
therefore never hold a large file in memory. All formats share the later step that turns rows into tasks.
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
"""The fields whose values are not texts. Formats that have only texts contain them as JSON."""


@dataclass(frozen=True)
class Row:
    """A task before validation, with the fields of the file. `line` is the line on which it starts, counted from 1."""

    line: int
    fields: Fields


@dataclass(frozen=True)
class Fault:
    """An invalid row, with the reason. Later rows can still be read. `more` are further errors of the row."""

    line: int
    field: str | None
    message: str
    more: tuple[tuple[str | None, str], ...] = ()


@dataclass(frozen=True)
class Note:
    """A note about a part of the file that is not imported, because a task cannot represent it."""

    line: int
    message: str


@dataclass(frozen=True)
class Suggested:
    """An evaluator that a run needs to score a row. A reader yields it after the `Row` to which it belongs. It has the
    form of an entry of `evaluators` in `POST /api/runs`."""

    evaluator: Mapping[str, object]


FileItem = Row | Fault | Note | Suggested


@dataclass(frozen=True)
class Writing:
    """The way to write a file of tasks: `opening`, then `entry(fields, is_first)` for each task, then `closing`.

    Fields of a task without a value are omitted.
    """

    media_type: str
    extension: str
    entry: Callable[[Mapping[str, Any], bool], str]
    opening: str = ""
    closing: str = ""


@dataclass(frozen=True)
class Example:
    """A sample file for tests of a format, and the items that reading it must yield."""

    text: str
    found: tuple[FileItem, ...]
    file_name: str = "example"


Reading = Callable[[TextIO, str], Iterator[FileItem]]
"""A function that yields the items of a text: `read(text, stem)`.

`stem` is the file's name without its extension. Formats without task ids name their rows after it.
"""


@dataclass(frozen=True)
class Format:
    """A file format of tasks.

    `file_names` are patterns of file names; if several formats match a name, the longest pattern decides. `table` reads
    rows with columns of any name; it is `None` for a format whose fields are fixed. In a `texts_only` format such as
    CSV, every value is a text.
    """

    name: str
    title: str
    read: Reading
    file_names: tuple[str, ...]
    examples: tuple[Example, ...]
    writing: Writing | None = None
    table: Reading | None = None
    texts_only: bool = False


def named(stem: str, number: int) -> str:
    """Return a task id for a row without an id: the file's name `stem` and the row's number. A repeated import of the
    file makes the same ids."""
    return f"{stem[:240]}-{number}"
