"""Read and write Parquet, in a separate process with limited time and memory (see `parquet_rows`)."""

import json
import os
from collections.abc import Iterator
from typing import IO, Any, Final

from config_api.datasets.formats.base import CASE_FIELDS, Fault, Fields, FileItem, Format, Row
from llmbench.confined.bounded import BoundedProcess
from llmbench.files.unreadable import Unreadable

_MAGIC: Final = b"PAR1"
_MODULE: Final = "config_api.datasets.parquet_rows"
# The settings of Arrow: one thread, and an allocator that returns freed memory to the system.
_ENVIRONMENT: Final = {"ARROW_DEFAULT_MEMORY_POOL": "system", "OMP_NUM_THREADS": "1"}
PATIENCE_S: Final = 300.0
"""The time limit for decoding one file, in seconds."""


def read(file: IO[bytes]) -> Iterator[FileItem]:
    if file.read(4) != _MAGIC:
        raise Unreadable(1, "is not Parquet: it does not begin with PAR1")
    file.seek(-4, os.SEEK_END)
    if file.read(4) != _MAGIC:
        raise Unreadable(1, "is incomplete: Parquet ends with PAR1")
    file.seek(0)
    with BoundedProcess(_MODULE, stdin=file, environment=_ENVIRONMENT) as process:
        number = 0
        for line in process.lines(PATIENCE_S):
            number += 1
            reply: dict[str, Any] = json.loads(line)
            if "unreadable" in reply:
                raise Unreadable(number, reply["unreadable"])
            if "fault" in reply:
                yield Fault(number, *reply["fault"])
            else:
                yield Row(number, reply["row"])
        ended = process.end() == 0
    if not ended:
        raise Unreadable(number + 1, "cannot be unpacked with the time and memory that a dataset may take")


def write(cases: Iterator[Fields], _: Fields, file: IO[bytes]) -> None:
    with BoundedProcess(_MODULE, "write", stdout=file, environment=_ENVIRONMENT) as process:
        process.write(json.dumps(CASE_FIELDS).encode() + b"\n")
        for case in cases:
            cells = [_cell(case.get(name)) for name in CASE_FIELDS]
            process.write(json.dumps(cells).encode() + b"\n")
        if process.end():
            raise OSError("the process that writes Parquet failed")


def _cell(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else json.dumps(value, ensure_ascii=False)


FORMAT: Final = Format(
    name="parquet",
    title="Parquet",
    media_type="application/vnd.apache.parquet",
    extension="parquet",
    read=read,
    write=write,
    file_names=("*.parquet",),
    texts_only=True,
    examples=(),
)
