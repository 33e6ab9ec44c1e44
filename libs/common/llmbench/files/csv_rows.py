"""Read the rows of a CSV file (RFC 4180) by its header; cells are separated by comma, semicolon or tab."""

import csv
from _csv import Reader
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain

from llmbench.files.csv_text import reader, revived
from llmbench.files.unreadable import Unreadable


def rows(text: Iterator[str], header: Callable[[list[str]], list[str]]) -> Iterator[tuple[int, dict[str, str] | str]]:
    """Yield each row that is not empty as a pair: the number of its first line, and its cells by column. For a row with
    more cells than the header, the second value is a message instead.

    `text` yields lines. `header` converts the first row's cells into column names, and may raise an error to refuse
    them. A column without a name is ignored. Raises `Unreadable` when the text is no CSV.
    """
    first = next(text, "")
    table = reader(chain([first], text), delimiter=max(",;\t", key=first.count))
    names = header(_cells(table) or [])
    while True:
        line = table.line_num + 1
        cells = _cells(table)
        if cells is None:
            return
        if any(cells[len(names) :]):
            yield line, f"has {len(cells)} cells, but the header has {len(names)}"
        elif any(cells):
            yield line, {name: revived(cell) for name, cell in zip(names, cells, strict=False) if name}


def refuse_twice(names: list[str]) -> None:
    """Raise `Unreadable` if two columns have the same name."""
    for name, count in Counter(names).items():
        if name and count > 1:
            raise Unreadable(1, f"the column {name[:80]!r} is there twice")


def _cells(table: Reader) -> list[str] | None:
    line = table.line_num + 1
    try:
        return next(table, None)
    except csv.Error as error:
        raise Unreadable(line, f"is not CSV: {error} (is a quote missing?)") from None
