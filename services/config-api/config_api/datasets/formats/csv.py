"""Read and write CSV with a header row; `csv_text` prevents spreadsheets from running cells as formulas.

Every cell is a text; lists and objects, such as the ground truth, are JSON texts.
"""

import json
from collections.abc import Iterator
from typing import IO, Any, Final

from config_api.datasets.formats.base import CASE_FIELDS, MAX_COLUMNS, Example, Fault, Fields, FileItem, Format, Row
from llmbench.files.csv_rows import refuse_twice, rows
from llmbench.files.csv_text import line_of, neutral
from llmbench.files.lines import lines
from llmbench.files.unreadable import Unreadable


def read(file: IO[bytes]) -> Iterator[FileItem]:
    for line, cells in rows(lines(file), _header):
        if isinstance(cells, str):
            yield Fault(line, None, cells)
        else:
            yield Row(line, {name: cell for name, cell in cells.items() if cell})


def _header(cells: list[str]) -> list[str]:
    names = [cell.strip() for cell in cells]
    if len(names) > MAX_COLUMNS:
        raise Unreadable(1, f"has {len(names):,} columns; there may be {MAX_COLUMNS:,}")
    refuse_twice(names)
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
