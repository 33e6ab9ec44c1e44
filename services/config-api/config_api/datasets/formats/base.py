"""What a format of dataset files is. Pure: a file in, rows out, and back; no database, no HTTP.

A format reads a file on disk and yields what it finds, one thing after another: nothing larger than one row is
held. Whether a row makes a test case is decided later, the same way for all formats.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import IO, Any, Final

from llmbench.files.cases import INPUT_FIELDS

Fields = Mapping[str, Any]


@dataclass(frozen=True)
class Row:
    """One test case as the file has it; `line` is where it starts, counted from 1."""

    line: int
    fields: Fields


@dataclass(frozen=True)
class Fault:
    """A row that cannot be a test case, and why. The rows after it can still be read. `more` is what else is wrong
    with it, `name` its id where it has one. Without a line it is no row but what the file says of itself."""

    line: int | None
    column: str | None
    message: str
    more: tuple[tuple[str | None, str], ...] = ()
    name: str | None = None


@dataclass(frozen=True)
class Header:
    """What the file says of itself. At most one, and before all rows."""

    values: Fields


Found = Row | Fault | Header
Reading = Callable[[IO[bytes]], Iterator[Found]]
"""May raise `llmbench.files.unreadable.Unreadable`."""


class Unwritable(Exception):
    """A test case holds what the format has no place for; the message says which and what."""


Writing = Callable[[Iterator[Fields], Fields, IO[bytes]], None]
"""`write(cases, header, file)`: a case is what `Row.fields` would be, in the order of `CASE_FIELDS`, without what is
empty; what is read back is the same. May raise `Unwritable`."""

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
    """A file with what has to be found in it."""

    content: bytes
    found: tuple[Found, ...]


@dataclass(frozen=True)
class Format:
    """`file_names` are the patterns by which a file is recognised; the longest that fits wins.

    In a file that may hold `texts_only`, a cell spells out in JSON what is no text.
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
