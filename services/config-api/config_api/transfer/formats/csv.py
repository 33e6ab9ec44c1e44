"""Read and write CSV with a header row; `csv_text` prevents spreadsheets from running cells as formulas."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, TextIO

from config_api.transfer.formats.base import FIELDS, STRUCTURED, Example, Fault, Format, Note, Row, Writing
from llmbench.files.csv_rows import refuse_twice, rows
from llmbench.files.csv_text import line_of, neutral
from llmbench.files.json_text import NotJson, after_space, value_at
from llmbench.files.unreadable import Unreadable

MAX_COLUMNS: Final = 1_000


def read(text: TextIO, stem: str) -> Iterator[Row | Fault | Note]:
    for line, cells in rows(text, _header):
        yield Fault(line, None, cells) if isinstance(cells, str) else _row(line, cells)


def read_table(text: TextIO, stem: str) -> Iterator[Row | Fault | Note]:
    """Read rows with columns of any name. Empty cells are left out. `stem` is not used (see `Reading`)."""
    for line, cells in rows(text, _names):
        if isinstance(cells, str):
            yield Fault(line, None, cells)
        else:
            yield Row(line, {name: cell for name, cell in cells.items() if cell})


def _names(cells: list[str]) -> list[str]:
    names = [cell.strip() for cell in cells]
    if len(names) > MAX_COLUMNS:
        raise Unreadable(1, f"has {len(names):,} columns; there may be {MAX_COLUMNS:,}")
    refuse_twice(names)
    return names


def _row(line: int, cells: Mapping[str, str]) -> Row | Fault:
    fields: dict[str, Any] = dict(cells)
    for name in STRUCTURED & cells.keys():
        text = cells[name]
        if not text.strip():
            del fields[name]
            continue
        try:
            value, end = value_at(text, after_space(text, 0))
        except NotJson as error:
            return Fault(line, name, str(error))
        if after_space(text, end) != len(text):
            return Fault(line, name, "has something after its JSON")
        fields[name] = value
    return Row(line, fields)


def _header(cells: list[str]) -> list[str]:
    names = [re.sub(r"[\s-]+", "_", cell.strip().lower()) for cell in cells]
    for name in names:
        if name and name not in FIELDS:
            raise Unreadable(1, f"there is no column {name[:80]!r}; the columns are {', '.join(FIELDS)}")
    refuse_twice(names)
    missing = [name for name in ("task_id", "category", "question") if name not in names]
    if missing:
        raise Unreadable(1, f"the header lacks the column {missing[0]!r}; the first line names the columns")
    return names


def _entry(fields: Mapping[str, Any], _: bool) -> str:
    return line_of(neutral(_cell(fields.get(name, ""))) for name in FIELDS)


def _cell(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


FORMAT: Final = Format(
    name="csv",
    title="CSV with a header",
    read=read,
    table=read_table,
    texts_only=True,
    file_names=("*.csv", "*.tsv"),
    writing=Writing("text/csv; charset=utf-8", "csv", _entry, opening=line_of(iter(FIELDS))),
    examples=(
        Example(
            'task_id,category,question\nsum,arithmetic,"What is\n17 + 25?"\n\ncapital,geography,France?\n',
            (
                Row(2, {"task_id": "sum", "category": "arithmetic", "question": "What is\n17 + 25?"}),
                Row(5, {"task_id": "capital", "category": "geography", "question": "France?"}),
            ),
        ),
        Example(
            "Task ID;Category;Question;Pass\nsum;arithmetic;'=17+25 is?;'tis 42\na;b;c;d;e\n",
            (
                Row(
                    2,
                    {"task_id": "sum", "category": "arithmetic", "question": "=17+25 is?", "pass": "'tis 42"},
                ),
                Fault(3, None, "has 5 cells, but the header has 4"),
            ),
        ),
    ),
)
