"""Read plain text and Markdown in UTF-8. Markdown is kept as written, because models can read it."""

from collections.abc import Iterator
from typing import IO, Final

from config_api.documents.formats.base import MAX_CHARACTERS, BadDocument, Example, Format
from llmbench.files.lines import lines
from llmbench.files.unreadable import Unreadable


def read(file: IO[bytes]) -> Iterator[str]:
    """Yield the pages. A form feed ends a page, as in text extracted from a PDF.

    Raises `BadDocument` if the file is too long, or is not text in UTF-8.
    """
    parts: list[str] = []
    size = 0
    try:
        for number, line in enumerate(lines(file), start=1):
            if "\0" in line:
                raise BadDocument(f"line {number}: contains a NUL character: it is no text")
            size += len(line)
            if size > MAX_CHARACTERS:
                raise BadDocument(f"has more than {MAX_CHARACTERS:,} characters; add it in parts")
            parts.append(line.replace("\r\n", "\n"))
    except Unreadable as error:
        raise BadDocument(f"line {error.line}: {error.message}") from None
    yield from "".join(parts).split("\f")


FORMAT: Final = Format(
    name="text",
    title="Text or Markdown",
    media_type="text/plain",
    extension="txt",
    read=read,
    file_names=("*.txt", "*.md", "*.markdown", "*.text"),
    when_empty="it is empty",
    examples=(
        Example("\ufeff# Leave\r\n\r\nTwo weeks ahead.\r\n".encode(), pages=("# Leave\n\nTwo weeks ahead.\n",)),
        Example(b"one\n\ftwo", pages=("one\n", "two")),
        Example(b"a\0b", bad="line 1: contains a NUL"),
        Example("z\xfcrich".encode("latin-1"), bad="is not UTF-8"),
        Example("text".encode("utf-16"), bad="is UTF-16"),
    ),
)
