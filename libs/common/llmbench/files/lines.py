"""Read text files of any size line by line, and refuse binary files and lines of more than 8 MiB."""

from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from typing import IO

from llmbench.files.unreadable import Unreadable

MAX_LINE_BYTES = 8 * 1024 * 1024

_NO_TEXT = (
    (b"PAR1", "is Parquet; name it .parquet"),
    (b"\x1f\x8b", "is compressed with gzip; upload what is in it"),
    (b"PK\x03\x04", "is a ZIP archive or a spreadsheet; save it as CSV in UTF-8"),
    (BOM_UTF16_LE, "is UTF-16; save the file as UTF-8"),
    (BOM_UTF16_BE, "is UTF-16; save the file as UTF-8"),
)


def require_text(file: IO[bytes]) -> None:
    """Move to the start of the file's text, behind a byte order mark of UTF-8. Raises `Unreadable` if the first bytes
    show that the file is not text in UTF-8."""
    head = file.read(4)
    for magic, message in _NO_TEXT:
        if head.startswith(magic):
            raise Unreadable(1, message)
    file.seek(len(BOM_UTF8) if head.startswith(BOM_UTF8) else 0)


def lines(file: IO[bytes]) -> Iterator[str]:
    """Yield the lines of the file with their line feeds. Only a line feed ends a line; carriage returns are kept.

    Raises `Unreadable` for bytes that are not UTF-8, and for a line that is longer than `MAX_LINE_BYTES`.
    """
    require_text(file)
    number = 0
    while line := file.readline(MAX_LINE_BYTES + 1):
        number += 1
        if len(line) > MAX_LINE_BYTES:
            raise Unreadable(number, f"the line is longer than {MAX_LINE_BYTES // 1024 // 1024} MiB")
        try:
            yield line.decode()
        except UnicodeDecodeError as error:
            raise not_utf8(error, number) from None


def not_utf8(error: UnicodeDecodeError, line: int) -> Unreadable:
    return Unreadable(line, f"is not UTF-8 (byte {error.object[error.start]:#04x}); save the file as UTF-8")
