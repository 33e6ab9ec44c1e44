"""CSV (RFC 4180) with a header; comma, semicolon or tab between the cells. Formulas: see `csv_text`.

Every cell is a text; conversation, ground truth and metadata are written in it as JSON.
"""

import csv
import json
from _csv import Reader
from collections.abc import Iterator
from typing import IO, Any, Final

from config_api.datasets.formats.base import CASE_FIELDS, MAX_COLUMNS, Example, Fault, Fields, Format, Found, Row
from config_api.files.csv_text import line_of, neutral, revived
from config_api.files.lines import lines
from config_api.files.unreadable import Unreadable


def read(file: IO[bytes]) -> Iterator[Found]:
    text = lines(file)
    first = next(text, "")
    reader = csv.reader(_continued(first, text), delimiter=max(",;\t", key=first.count), strict=True)
    header = _header(_cells(reader))
    while True:
        line = reader.line_num + 1
        cells = _cells(reader)
        if cells is None:
            return
        if len(cells) > len(header) and any(cells[len(header) :]):
            yield Fault(line, None, f"has {len(cells)} cells, but the header has {len(header)}")
        elif any(cells):
            pairs = zip(header, cells, strict=False)
            yield Row(line, {name: revived(cell) for name, cell in pairs if name and cell})


def _continued(first: str, rest: Iterator[str]) -> Iterator[str]:
    yield first
    yield from rest


def _cells(reader: Reader) -> list[str] | None:
    line = reader.line_num + 1
    try:
        return next(reader, None)
    except csv.Error as error:
        raise Unreadable(line, f"is not CSV: {error} (is a quote missing?)") from None


def _header(cells: list[str] | None) -> list[str]:
    names = [cell.strip() for cell in cells or []]
    if len(names) > MAX_COLUMNS:
        raise Unreadable(1, f"has {len(names):,} columns; there may be {MAX_COLUMNS:,}")
    for name in names:
        if name and names.count(name) > 1:
            raise Unreadable(1, f"the column {name[:80]!r} is there twice")
    return names


def write(cases: Iterator[Fields], _: Fields, file: IO[bytes]) -> None:
    file.write(line_of(iter(CASE_FIELDS)).encode())
    for case in cases:
        file.write(line_of(neutral(_cell(case.get(name))) for name in CASE_FIELDS).encode())


def _cell(value: Any) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False)


FORMAT: Final = Format(
    name="csv",
    title="CSV with a header",
    media_type="text/csv; charset=utf-8",
    extension="csv",
    read=read,
    write=write,
    file_names=("*.csv", "*.tsv"),
    texts_only=True,
    examples=(
        Example(
            b'\xef\xbb\xbfid,prompt,difficulty\r\nsum,"What is\r\n17 + 25?",\r\n\r\n'
            b"capital,'=France?,easy\r\na,b,c,d\r\n",
            (
                Row(2, {"id": "sum", "prompt": "What is\r\n17 + 25?"}),
                Row(5, {"id": "capital", "prompt": "=France?", "difficulty": "easy"}),
                Fault(6, None, "has 4 cells, but the header has 3"),
            ),
        ),
    ),
)
