"""Cut the text of a document's pages into chunks, each short enough for one prompt."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

_LEAST_LETTERS: Final = 40
"""The minimum number of letters and digits in a chunk: a page number or a headline alone yields no question."""
_ENDS: Final = (
    re.compile(r"\n\s*\n"),
    re.compile(r"[.!?\u2026][\"'\u201d\u2019)]?\s|[\u3002\uff01\uff1f]"),
    re.compile(r"\n"),
    re.compile(r"\s"),
)
"""The places where text may be cut, best first: after a paragraph, a sentence, a line, a word."""


@dataclass(frozen=True)
class Chunk:
    """A chunk of a document. `pages` has, for each page in it, the page's number and the offset in `text` at which the
    page begins. The offset is 0 if the page begins before the chunk."""

    text: str
    pages: tuple[tuple[int, int], ...]


def chunks(pages: Sequence[tuple[int, str]], *, characters: int) -> Iterator[Chunk]:
    """Yield chunks of at most `characters` characters; only the last one may be a quarter longer.

    Chunks with fewer than `_LEAST_LETTERS` letters and digits are dropped.

    Here, both pages fit into one chunk. Page 4 begins after the 100 characters of page 3 and a line break:

    >>> [chunk.pages for chunk in chunks([(3, "a" * 100), (4, "b" * 100)], characters=500)]
    [((3, 0), (4, 101))]
    """
    text, starts = _joined(pages)
    at = 0
    while at < len(text):
        end = _end(text, at, characters)
        first = at + len(text[at:end]) - len(text[at:end].lstrip())
        part = text[at:end].strip()
        if sum(map(str.isalnum, part)) >= _LEAST_LETTERS:
            yield Chunk(part, _pages(starts, first, first + len(part)))
        at = end


def _joined(pages: Sequence[tuple[int, str]]) -> tuple[str, list[tuple[int, int]]]:
    starts, size = [], 0
    for number, text in pages:
        starts.append((number, size))
        size += len(text) + 1
    return "\n".join(text for _, text in pages), starts


def _end(text: str, at: int, characters: int) -> int:
    if len(text) - at <= characters * 5 // 4:
        return len(text)
    least = at + characters // 2
    for pattern in _ENDS:
        ends = [match.end() for match in pattern.finditer(text, least, at + characters)]
        if ends:
            return ends[-1]
    return at + characters


def _pages(starts: Sequence[tuple[int, int]], first: int, end: int) -> tuple[tuple[int, int], ...]:
    begun = max(number for number, start in starts if start <= first)
    return ((begun, 0), *((number, start - first) for number, start in starts if first < start < end))
