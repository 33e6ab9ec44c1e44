"""Define the interface of a document format, which turns a file into the texts of its pages."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, Final

MAX_PAGES: Final = 2_000
MAX_CHARACTERS: Final = 5_000_000
"""The maximum length of a document's text: about 2,000 densely printed pages."""


class BadDocument(Exception):
    """Raised when the file cannot be read, has no text, or exceeds a limit; the message says why."""


Reading = Callable[[IO[bytes]], Iterator[str]]
"""A function that yields the text of each page. May raise `BadDocument`."""


@dataclass(frozen=True)
class Example:
    """A sample file for tests of a format. Reading it must yield the texts `pages` or, with `bad`, raise an error whose
    message contains `bad`."""

    content: bytes
    pages: tuple[str, ...] = ()
    bad: str | None = None


@dataclass(frozen=True)
class Format:
    """A file format of documents.

    `file_names` are patterns of file names. `when_empty` explains to the user why a file may have no text.
    """

    name: str
    title: str
    media_type: str
    extension: str
    read: Reading
    file_names: tuple[str, ...]
    when_empty: str
    examples: tuple[Example, ...]
