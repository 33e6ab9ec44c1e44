"""Handle `-` in place of a file name: a backup or a key is piped, for example out of a container or into one.

The data passes through the temporary folder (TMPDIR), because PostgreSQL's programs need a file.
"""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from llmbench_cli.embedded.errors import StartError

_PIPE = Path("-")


def is_pipe(file: Path) -> bool:
    """Return whether the path stands for the standard input or output."""
    return file == _PIPE


def refuse_terminal(stream: IO[str]) -> None:
    """Raise StartError if the stream is a terminal."""
    if stream.isatty():
        raise StartError("`-` is for a pipe or a file, and this is a terminal: redirect it with `>` or `<`")


@contextmanager
def outgoing() -> Iterator[Path]:
    """Yield the path of a temporary file for the block to create. After the block, write its content to the standard
    output. Raises StartError if that fails."""
    with _folder() as folder:
        file = folder / "backup"
        yield file
        try:
            with file.open("rb") as source:
                shutil.copyfileobj(source, sys.stdout.buffer)
            sys.stdout.buffer.flush()
        except OSError as broken:
            raise StartError(f"the backup could not be written to the standard output: {broken.strerror}") from broken


@contextmanager
def incoming() -> Iterator[Path]:
    """Copy the standard input to a temporary file, and yield its path. The file is deleted at the end of the block."""
    with _folder() as folder:
        file = folder / "backup"
        with file.open("xb") as target:
            shutil.copyfileobj(sys.stdin.buffer, target)
        yield file


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="llmbench-") as folder:
        yield Path(folder)
