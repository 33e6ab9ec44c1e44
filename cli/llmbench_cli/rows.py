"""Format the rows of a DuckDB query: a table for people, JSON and CSV for programs.

The functions fetch the rows from a connection that has executed the query, and raise CommandFailed if this fails. They
round floats, to hide the noise of averages.
"""

import csv
import io
import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rich.table import Table

from llmbench.files.formulas import neutralise
from llmbench.thresholds import tidy
from llmbench_cli.errors import CommandFailed
from llmbench_cli.runs.result_tables import plain_table
from llmbench_cli.runs.words import NONE
from llmbench_cli.safe_text import safe, safe_line

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_AT_ONCE = 500
_MOST_IN_TABLE = 500
_LONGEST_CELL = 200
_NOISE, _SMALL = 1e-12, 1e-6
_NUMBERS = ("INT", "DOUBLE", "FLOAT", "DECIMAL", "REAL")


def as_table(rows: "DuckDBPyConnection") -> Table:
    """Return a table of the first 500 rows, with a note if there are more. Cells are shortened to 200 characters."""
    shown = plain_table("")
    for name, type_ in _columns(rows):
        number = any(word in type_ for word in _NUMBERS)
        shown.add_column(safe_line(name), justify="right" if number else "left", overflow="fold")
    found = _fetched(rows, _MOST_IN_TABLE + 1)
    for row in found[:_MOST_IN_TABLE]:
        shown.add_row(*(NONE if value is None else safe_line(str(value), most=_LONGEST_CELL) for value in row))
    if len(found) > _MOST_IN_TABLE:
        shown.caption = f"The first {_MOST_IN_TABLE} rows; --format json or csv prints all."
        shown.caption_justify = "left"
    return shown


def as_json(rows: "DuckDBPyConnection") -> Iterator[str]:
    """Yield the text of a JSON array, an object per row. Values of DuckDB's type JSON become JSON, not strings. Raises
    CommandFailed if two columns have the same name."""
    columns = _columns(rows)
    names = [name for name, _ in columns]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise CommandFailed(f"two columns are called '{twice}': name one of them with AS")
    separator = "["
    for row in _every(rows):
        record = {
            name: json.loads(value) if type_ == "JSON" and value is not None else value
            for (name, type_), value in zip(columns, row, strict=True)
        }
        # ASCII only on a terminal, because a terminal interprets control characters.
        yield f"{separator}\n{json.dumps(record, ensure_ascii=sys.stdout.isatty(), default=str)}"
        separator = ","
    yield "[]\n" if separator == "[" else "\n]\n"


def as_csv(rows: "DuckDBPyConnection") -> Iterator[str]:
    """Yield a line of column names, then the rows. Cells that a spreadsheet would run as formulas become texts."""
    yield _line([name for name, _ in _columns(rows)])
    for row in _every(rows):
        yield _line(row)


def _line(cells: Any) -> str:
    line = io.StringIO()
    csv.writer(line).writerow([neutralise(cell) for cell in cells])
    return safe(line.getvalue().removesuffix("\r\n")) + "\n" if sys.stdout.isatty() else line.getvalue()


def _columns(rows: "DuckDBPyConnection") -> list[tuple[str, str]]:
    return [(str(column[0]), str(column[1])) for column in rows.description or []]


def _every(rows: "DuckDBPyConnection") -> Iterator[tuple[Any, ...]]:
    while found := _fetched(rows, _AT_ONCE):
        yield from found


def _rounded(value: Any) -> Any:
    """Return the value with its floats rounded to 1e-9, to hide the rounding noise of averages.

    Floats below 1e-6 keep six significant digits instead. Lists and structs are rounded element by element.
    """
    if isinstance(value, float):
        # Keep six digits of small values: a price per token is small, but not noise.
        return float(f"{value:.6g}") if _NOISE < abs(value) < _SMALL else tidy(value)
    if isinstance(value, list | tuple):
        return type(value)(map(_rounded, value))
    if isinstance(value, dict):
        return {key: _rounded(element) for key, element in value.items()}
    return value


def _fetched(rows: "DuckDBPyConnection", most: int) -> list[tuple[Any, ...]]:
    """Return the next rows, at most `most`. Raises CommandFailed if the query fails only now, such as at a text that is
    no number."""
    import duckdb

    try:
        return [tuple(map(_rounded, row)) for row in rows.fetchmany(most)]
    except duckdb.Error as failed:
        raise CommandFailed(str(failed)) from failed
