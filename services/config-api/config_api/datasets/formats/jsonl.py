"""Read and write JSON lines: one test case per line."""

import json
from collections.abc import Iterator
from typing import IO, Final

from config_api.datasets.formats.base import Example, Fault, Fields, FileItem, Format, Row
from llmbench.files.json_lines import rows
from llmbench.files.lines import lines


def read(file: IO[bytes]) -> Iterator[FileItem]:
    for number, row in rows(lines(file), "test case"):
        yield Fault(number, None, row) if isinstance(row, str) else Row(number, row)


def write(cases: Iterator[Fields], _: Fields, file: IO[bytes]) -> None:
    for case in cases:
        file.write(json.dumps(case, ensure_ascii=False).encode() + b"\n")


FORMAT: Final = Format(
    name="jsonl",
    title="JSON lines",
    media_type="application/x-ndjson",
    extension="jsonl",
    read=read,
    write=write,
    file_names=("*.jsonl", "*.ndjson"),
    examples=(
        Example(
            b'\xef\xbb\xbf{"id": "sum", "prompt": "17 + 25?"}\r\n\r\n[]\n{}{}\n{"prompt": "1e2", "score": 1e2}',
            (
                Row(1, {"id": "sum", "prompt": "17 + 25?"}),
                Fault(3, None, "is not an object: a test case is {…}"),
                Fault(4, None, "has something after its object"),
                Row(5, {"prompt": "1e2", "score": 100.0}),
            ),
        ),
    ),
)
