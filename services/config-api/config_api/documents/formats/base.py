"""What a format of documents is. Pure: a file in, the text of its pages out; no database, no HTTP."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, Final

MAX_PAGES: Final = 2_000
MAX_CHARACTERS: Final = 5_000_000
"""Of a document's whole text: some 2,000 densely printed pages."""


class BadDocument(Exception):
    """The file cannot be read, or is more than a document may be; the message says what to do."""


Reading = Callable[[IO[bytes]], Iterator[str]]
"""The text of each page, one after another. May raise `BadDocument`."""


@dataclass(frozen=True)
class Example:
    """A file with the texts of its pages; or with a part of what is said of it."""

    content: bytes
    pages: tuple[str, ...] = ()
    bad: str | None = None


@dataclass(frozen=True)
class Format:
    """`file_names` are the patterns by which a file is recognised; `when_empty` says what a file without any text
    may be. What has no pages is one page."""

    name: str
    title: str
    media_type: str
    extension: str
    read: Reading
    file_names: tuple[str, ...]
    when_empty: str
    examples: tuple[Example, ...]
