"""Receive an uploaded text file and validate it as UTF-8. A file larger than one megabyte is kept on disk."""

import codecs
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from tempfile import SpooledTemporaryFile
from typing import IO

from llmbench.files.unreadable import Unreadable

_IN_MEMORY = 1024 * 1024


@asynccontextmanager
async def received(stream: AsyncIterator[bytes]) -> AsyncIterator[IO[bytes]]:
    """Receive a file and yield it, positioned at its beginning.

    Raises `Unreadable` for a file that is not UTF-8, with the line of the first invalid byte.
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    line = 1
    with SpooledTemporaryFile(max_size=_IN_MEMORY) as file:
        is_first = True
        async for chunk in stream:
            if is_first and chunk.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
                raise Unreadable(1, "is UTF-16; save the file as UTF-8")
            is_first = is_first and not chunk
            try:
                line += decoder.decode(chunk).count("\n")
            except UnicodeDecodeError as error:
                raise _not_utf8(error, line) from None
            file.write(chunk)
        try:
            decoder.decode(b"", final=True)
        except UnicodeDecodeError as error:
            raise _not_utf8(error, line) from None
        file.seek(0)
        yield file


def _not_utf8(error: UnicodeDecodeError, line: int) -> Unreadable:
    line += error.object.count(b"\n", 0, error.start)
    return Unreadable(line, f"is not UTF-8 (byte {error.object[error.start]:#04x}); save the file as UTF-8")
