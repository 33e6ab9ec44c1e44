"""Read the texts of a document's pages from a file on disk, within limits, for any format."""

from dataclasses import dataclass
from typing import IO

from config_api.documents.formats.base import MAX_CHARACTERS, MAX_PAGES, BadDocument, Format


@dataclass(frozen=True)
class Text:
    """The texts of a document's pages, in order. Some may be empty, but not all."""

    pages: tuple[str, ...]

    @property
    def character_count(self) -> int:
        return sum(map(len, self.pages))

    @property
    def empty_page_count(self) -> int:
        return sum(not page.strip() for page in self.pages)


def read_document(file: IO[bytes], format_: Format) -> Text:
    """Read the texts of the file's pages.

    Raises `BadDocument` if the file is unreadable, has no text, or has too many pages or characters.
    """
    file.seek(0)
    pages: list[str] = []
    size = 0
    for page in format_.read(file):
        pages.append(page)
        size += len(page)
        if len(pages) > MAX_PAGES:
            raise BadDocument(f"has more than {MAX_PAGES:,} pages; add it in parts")
        if size > MAX_CHARACTERS:
            raise BadDocument(f"has more than {MAX_CHARACTERS:,} characters; add it in parts")
    if not any(character.isalnum() for page in pages for character in page):
        raise BadDocument(f"holds no text: {format_.when_empty}")
    return Text(tuple(pages))
