"""Read a file of rows that was sent: JSON lines, or CSV with a header."""

from collections.abc import Callable, Collection, Iterator
from typing import IO, Any, Final, Literal

from llmbench.errors import FieldError, Problem
from llmbench.files import csv_rows, json_lines
from llmbench.files.lines import lines
from llmbench.files.unreadable import Unreadable

RowFormat = Literal["jsonl", "csv"]
Row = tuple[int, dict[str, Any] | str]
"""The line on which a row starts, counted from 1, and its values by column; or a message, if the row is invalid."""

_FORMATS: Final[dict[str, RowFormat]] = {"jsonl": "jsonl", "ndjson": "jsonl", "csv": "csv", "tsv": "csv"}


def format_of(file_name: str) -> RowFormat:
    """Return the file's format by its extension. Raises a 422 `Problem` for an unknown or missing extension."""
    suffix = file_name.rpartition(".")[2].lower()
    if suffix not in _FORMATS:
        message = f"is called {file_name[:80]!r}: name it .jsonl or .csv, by its format"
        raise Problem(422, "Unknown format", f"file: {message}", errors=[FieldError("file", message)])
    return _FORMATS[suffix]


def rows_of(
    file: IO[bytes],
    format: RowFormat,
    header: Callable[[list[str]], list[str]],
    *,
    most: int,
    may_be_empty: Collection[str] = (),
) -> Iterator[Row]:
    """Yield the rows of a file, at most `most`. Raises `Unreadable` for a file that has more rows or another format.

    `header` converts the first row of CSV into column names, and may raise `Unreadable`. An empty cell of CSV is a
    missing value, except in the columns `may_be_empty`.
    """
    read = json_lines.rows(lines(file)) if format == "jsonl" else _csv(file, header, may_be_empty)
    for count, (line, row) in enumerate(read, start=1):
        if count > most:
            raise Unreadable(line, f"holds more than {most:,} rows; send it in parts")
        yield line, row


def _csv(file: IO[bytes], header: Callable[[list[str]], list[str]], may_be_empty: Collection[str]) -> Iterator[Row]:
    for line, cells in csv_rows.rows(lines(file), header):
        if isinstance(cells, str):
            yield line, cells
        else:
            yield line, {name: cell for name, cell in cells.items() if cell or name in may_be_empty}


def unreadable_file(error: Unreadable) -> Problem:
    """Return the 422 `Problem` of a file that cannot be read. It names the line of the error."""
    message = f"line {error.line}: {error.message}"
    return Problem(422, "Unreadable file", message, errors=[FieldError("file", message)], extra={"line": error.line})
