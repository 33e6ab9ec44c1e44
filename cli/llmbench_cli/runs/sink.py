"""Write an export to a file or to the standard output. A failed export leaves no partial file."""

import codecs
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from llmbench_cli.errors import CommandFailed
from llmbench_cli.safe_text import safe

Put = Callable[[bytes], object]


@contextmanager
def sink(output: Path | None, *, force: bool) -> Iterator[Put]:
    """Yield a function that writes a chunk to the file `output`, or to the standard output if that is None or `-`.

    The file appears only when the block has ended without an error. On a terminal, control characters are made visible.
    Raises CommandFailed if the file exists and `force` is not set, or if it cannot be written.
    """
    if output is None or str(output) == "-":
        yield _terminal() if sys.stdout.isatty() else _pipe
        sys.stdout.flush()
        return
    if output.exists() and not force:
        raise CommandFailed(f"{output} exists already; --force replaces it")
    # The export is written to a temporary file, which is renamed at the end. A failed export leaves no partial file and
    # keeps an old one.
    part_file = output.with_name(f".{output.name}.part")
    try:
        with part_file.open("wb") as out:
            yield out.write
        part_file.replace(output)
    except OSError as failed:
        raise CommandFailed(f"{output} cannot be written: {failed.strerror}") from failed
    finally:
        part_file.unlink(missing_ok=True)


def _pipe(chunk: bytes) -> None:
    sys.stdout.buffer.write(chunk)


def _terminal() -> Put:
    """Return a function that writes chunks to a terminal, with the control characters in models' answers made
    visible."""
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")

    def put(chunk: bytes) -> None:
        sys.stdout.write(safe(decoder.decode(chunk)))

    return put
