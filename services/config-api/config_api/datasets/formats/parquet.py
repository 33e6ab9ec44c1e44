"""Parquet, read and written by a process of its own with bounded memory: see `parquet_rows`."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, Final

from config_api.datasets.formats.base import CASE_FIELDS, Fault, Fields, Format, Found, Row
from llmbench.files.unreadable import Unreadable

_MAGIC: Final = b"PAR1"
_COMMAND: Final = (sys.executable, "-m", "config_api.datasets.parquet_rows")
# One thread, and an allocator that gives memory back; the rest of the environment is none of its business.
_ENVIRONMENT: Final = {"ARROW_DEFAULT_MEMORY_POOL": "system", "OMP_NUM_THREADS": "1", "PYTHONIOENCODING": "utf-8"}


def read(file: IO[bytes]) -> Iterator[Found]:
    if file.read(4) != _MAGIC:
        raise Unreadable(1, "is not Parquet: it does not begin with PAR1")
    file.seek(-4, os.SEEK_END)
    if file.read(4) != _MAGIC:
        raise Unreadable(1, "is not whole: Parquet ends with PAR1")
    file.seek(0)
    with _process(stdin=file) as process:
        assert process.stdout is not None
        number, ended = 0, False
        for line in process.stdout:
            number += 1
            found: dict[str, Any] = json.loads(line)
            if "unreadable" in found:
                raise Unreadable(number, found["unreadable"])
            if "fault" in found:
                yield Fault(number, *found["fault"])
            else:
                yield Row(number, found["row"])
        ended = process.wait() == 0
    if not ended:
        raise Unreadable(number + 1, "cannot be unpacked with the memory that a dataset may take")


def write(cases: Iterator[Fields], _: Fields, file: IO[bytes]) -> None:
    with _process("write", stdin=subprocess.PIPE, stdout=file) as process:
        assert process.stdin is not None
        process.stdin.write(json.dumps(CASE_FIELDS).encode() + b"\n")
        for case in cases:
            cells = [_cell(case.get(name)) for name in CASE_FIELDS]
            process.stdin.write(json.dumps(cells).encode() + b"\n")
        process.stdin.close()
        if process.wait():
            raise OSError("the process that writes Parquet failed")


def _cell(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else json.dumps(value, ensure_ascii=False)


@contextmanager
def _process(
    *arguments: str, stdin: IO[bytes] | int, stdout: IO[bytes] | int = subprocess.PIPE
) -> Iterator[subprocess.Popen[bytes]]:
    """Gone when the block is left, however that is."""
    environment = {**os.environ, **_ENVIRONMENT}
    with subprocess.Popen(  # noqa: S603  # this interpreter and a module of ours
        [*_COMMAND, *arguments], stdin=stdin, stdout=stdout, stderr=subprocess.DEVNULL, env=environment
    ) as process:
        try:
            yield process
        finally:
            process.kill()


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
