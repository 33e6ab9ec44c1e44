"""Split a byte stream into events: server-sent events and newline-delimited JSON.

Bytes are split, not text: a chunk may end within a character, and U+2028 is a line end for `str.splitlines` but not for
SSE. A line and the complete answer have size limits.
"""

from collections.abc import Iterator
from typing import Protocol

LINE_LIMIT_BYTES = 1024 * 1024
ANSWER_LIMIT_BYTES = 4 * 1024 * 1024


class AnswerTooLarge(Exception):
    """Raised when the answer, or one line of it, exceeds its limit."""

    def __init__(self, what: str, limit_bytes: int) -> None:
        super().__init__(f"{what} over {limit_bytes // (1024 * 1024)} MiB")


class Framing(Protocol):
    """Splits chunks of bytes into events and yields the payload of each event. A chunk may end anywhere in an event."""

    def feed(self, chunk: bytes) -> Iterator[bytes]: ...

    def close(self) -> Iterator[bytes]: ...


class Lines:
    """Splits chunks into lines that end with LF, CRLF or CR, as in SSE."""

    def __init__(self) -> None:
        self._rest = bytearray()
        self._received = 0

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """Add a chunk and yield the lines it completes. Raises `AnswerTooLarge` if the answer or a line is too long."""
        self._received += len(chunk)
        if self._received > ANSWER_LIMIT_BYTES:
            raise AnswerTooLarge("answer", ANSWER_LIMIT_BYTES)
        self._rest += chunk
        # A CR at the very end may be half of a CRLF, so it waits for the next chunk.
        held = self._rest[-1:] == b"\r"
        text = bytes(self._rest[:-1] if held else self._rest)
        if b"\r" in text:
            text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        *lines, rest = text.split(b"\n")
        if max(map(len, (*lines, rest))) > LINE_LIMIT_BYTES:
            raise AnswerTooLarge("line", LINE_LIMIT_BYTES)
        self._rest = bytearray(rest + b"\r" if held else rest)
        yield from lines

    def close(self) -> Iterator[bytes]:
        rest = bytes(self._rest)
        self._rest.clear()
        if rest:
            yield rest.removesuffix(b"\r")


class ServerSentEvents:
    """Splits chunks into server-sent events (WHATWG HTML). Yields their `data`; other fields are ignored."""

    def __init__(self) -> None:
        self._lines = Lines()
        self._data: list[bytes] = []
        self._first = True

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        for line in self._lines.feed(chunk):
            yield from self._line(line)

    def close(self) -> Iterator[bytes]:
        """Yield the last event even if the empty line after it is missing, because several providers omit this line."""
        for line in self._lines.close():
            yield from self._line(line)
        yield from self._line(b"")

    def _line(self, line: bytes) -> Iterator[bytes]:
        if self._first:
            self._first = False
            line = line.removeprefix(b"\xef\xbb\xbf")
        if not line:
            if self._data:
                event = b"\n".join(self._data)
                self._data = []
                yield event
            return
        name, _, value = line.partition(b":")
        if name == b"data":
            self._data.append(value.removeprefix(b" "))


class JsonLines:
    """Splits chunks into lines with one JSON value each; empty lines are skipped."""

    def __init__(self) -> None:
        self._lines = Lines()

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        return (line for line in self._lines.feed(chunk) if line.strip())

    def close(self) -> Iterator[bytes]:
        return (line for line in self._lines.close() if line.strip())
