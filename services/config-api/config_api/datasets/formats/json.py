"""Read and write JSON: a list of test cases."""

import json
from collections.abc import Iterator
from typing import IO, Final

from config_api.datasets.formats.base import Example, Fault, Fields, FileItem, Format, Row
from config_api.files.json_list import entries


def read(file: IO[bytes]) -> Iterator[FileItem]:
    for line, value in entries(file):
        if isinstance(value, dict):
            yield Row(line, value)
        else:
            yield Fault(line, None, "is not an object: a test case is {…}")


def write(cases: Iterator[Fields], _: Fields, file: IO[bytes]) -> None:
    before = b"["
    for case in cases:
        file.write(before + b"\n  " + json.dumps(case, ensure_ascii=False, indent=2).replace("\n", "\n  ").encode())
        before = b","
    file.write(b"\n]\n" if before == b"," else b"[]\n")


FORMAT: Final = Format(
    name="json",
    title="JSON list",
    media_type="application/json",
    extension="json",
    read=read,
    write=write,
    file_names=("*.json",),
    examples=(
        Example(
            b'[\n  {"id": "sum",\n   "prompt": "17 + 25?", "context": null},\n  7\n]\n',
            (
                Row(2, {"id": "sum", "prompt": "17 + 25?", "context": None}),
                Fault(4, None, "is not an object: a test case is {…}"),
            ),
        ),
    ),
)
