"""Define the interface of a format of dataset files, which converts between files and rows.

A format reads a file on disk and yields one item after another, so only one row is in memory. All formats share the
later step that turns rows into test cases.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import IO, Any, Final

from llmbench.files.cases import INPUT_FIELDS

Fields = Mapping[str, Any]


@dataclass(frozen=True)
class Row:
    """A test case before validation, with the fields of the file. `line` is the line on which it starts, counted from
    1."""

    line: int
    fields: Fields


@dataclass(frozen=True)
class Fault:
    """An invalid row, with the reason. Later rows can still be read.

    - `line`: where the row starts; `None` if the fault concerns the file's header.
    - `more`: further faults of the row, as pairs of column and message.
    - `name`: the row's id, if it has one.
    """

    line: int | None
    column: str | None
    message: str
    more: tuple[tuple[str | None, str], ...] = ()
    name: str | None = None


@dataclass(frozen=True)
class Header:
    """The metadata that a file contains about itself. A file has at most one header, before all rows."""

    values: Fields


FileItem = Row | Fault | Header
Reading = Callable[[IO[bytes]], Iterator[FileItem]]
"""A function that yields the items of a file. May raise `llmbench.files.unreadable.Unreadable`."""


class Unwritable(Exception):
    """Raised when the format cannot represent a test case. The message names the case and the reason."""


Writing = Callable[[Iterator[Fields], Fields, IO[bytes]], None]
"""A function that writes cases: `write(cases, header, file)`. May raise `Unwritable`.

`header` has the values of the uploaded file's header; it is empty if that file had none.

A case has the form of `Row.fields`, in the order of `CASE_FIELDS`, without empty fields. Reading the file back gives
the same cases.
"""

MAX_COLUMNS: Final = 1_000

CASE_FIELDS: Final = (
    "id",
    *INPUT_FIELDS,
    "expected_output",
    "ground_truth",
    "metadata",
    "checks",
)


@dataclass(frozen=True)
class Example:
    """A sample file for tests of a format, and the items that reading it must yield."""

    content: bytes
    found: tuple[FileItem, ...]


@dataclass(frozen=True)
class Format:
    """A file format of test cases.

    `file_names` are patterns of file names; if several formats match a name, the longest pattern decides. In a
    `texts_only` format, lists and objects are written as JSON texts, and such texts are parsed when a file is read.
    """

    name: str
    title: str
    media_type: str
    extension: str
    read: Reading
    write: Writing
    file_names: tuple[str, ...]
    examples: tuple[Example, ...]
    texts_only: bool = False
