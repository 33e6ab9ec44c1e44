"""Read a JSON list of any length, entry by entry. Only one entry and a block of text are in memory."""

import codecs
from collections.abc import Iterator
from typing import IO, Any

from llmbench.files.json_text import NotJson, after_space, value_at
from llmbench.files.lines import not_utf8, require_text
from llmbench.files.unreadable import Unreadable

_BLOCK = 256 * 1024
MAX_ENTRY_CHARACTERS = 8 * 1024 * 1024


def entries(file: IO[bytes]) -> Iterator[tuple[int, Any]]:
    """Yield each entry of the list as a pair: the number of the line on which it starts, and its value.

    An empty file has no entries. Raises `Unreadable` if the file is no JSON list, or an entry is too long.
    """
    text = _Text(file)
    if not text.next():
        return
    if text.next() != "[":
        raise Unreadable(text.line, "a JSON list is wanted: [{…}, {…}]")
    text.at += 1
    while text.next() != "]":
        line = text.line
        yield line, _value(text)
        follows = text.next()
        if follows == ",":
            text.at += 1
            if text.next() == "]":
                raise Unreadable(text.line, "is not JSON: a comma before the end of the list")
        elif follows != "]":
            raise Unreadable(text.line, "is not JSON: a comma or the end of the list is missing")
    text.at += 1
    if text.next():
        raise Unreadable(text.line, "is not JSON: something follows the list")


def _value(text: "_Text") -> Any:
    """Parse and return the next value.

    If the text in memory does not parse, it may be incomplete. Then the amount of text in memory is doubled, until the
    value parses or is too long.
    """
    while True:
        try:
            value, end = value_at(text.held, text.at)
        except NotJson as error:
            held = len(text.held) - text.at
            if held <= MAX_ENTRY_CHARACTERS and text.more(max(_BLOCK, held)):
                continue
            more = f" (an entry has at most {MAX_ENTRY_CHARACTERS:,} characters)" if held > MAX_ENTRY_CHARACTERS else ""
            raise Unreadable(text.line_of(error.position), f"{error}{more}") from None
        # The digits of a number may continue in the next block.
        if end == len(text.held) and not isinstance(value, dict | list | str) and text.more():
            continue
        text.at = end
        return value


class _Text:
    """A window of text in memory that moves through the file. `held` is the text in the window, and `at` is the reading
    position in `held`."""

    def __init__(self, file: IO[bytes]) -> None:
        require_text(file)
        self._file = file
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._line = 1
        self._counted = 0
        self.held = ""
        self.at = 0

    def next(self) -> str:
        """Advance to the next character that is not white space and return it. Return an empty text at the end of the
        file."""
        self.at = after_space(self.held, self.at)
        while self.at == len(self.held) and self.more():
            self.at = after_space(self.held, self.at)
        return self.held[self.at : self.at + 1]

    def more(self, block: int = _BLOCK) -> bool:
        """Read another block, and return whether the file had any bytes left. Drop the text before `self.at`, which is
        parsed already."""
        line = self.line
        read = self._file.read(block)
        rest = self.held[self.at :]
        try:
            self.held = rest + self._decoder.decode(read, final=not read)
        except UnicodeDecodeError as error:
            raise not_utf8(error, line + rest.count("\n") + error.object.count(b"\n", 0, error.start)) from None
        self._line, self._counted, self.at = line, 0, 0
        return bool(read)

    @property
    def line(self) -> int:
        self._line, self._counted = self.line_of(self.at), self.at
        return self._line

    def line_of(self, position: int) -> int:
        return self._line + self.held.count("\n", self._counted, position)
