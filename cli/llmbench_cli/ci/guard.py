"""Keep the CI system from executing the text that a job prints.

GitHub's runner acts on lines of the output that look like workflow commands. Names of cases, models and tasks are
printed too, and they may come from strangers.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from llmbench_cli.ci.annotations import harmless


class Guarded:
    """A text stream that writes each line to `stream`, changed so that a runner of GitHub finds no workflow command in
    it. A line is buffered until it is complete, or until the stream is flushed."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._line = ""

    def write(self, text: str) -> int:
        """Write the complete lines, and buffer the rest."""
        complete, newline, self._line = (self._line + text).rpartition("\n")
        if newline:
            self._stream.write(harmless(complete + newline))
        return len(text)

    def flush(self) -> None:
        """Write the buffered text, and flush the stream."""
        if self._line:
            self._stream.write(harmless(self._line))
            self._line = ""
        self._stream.flush()

    def __getattr__(self, name: str) -> object:
        """Return any other attribute, such as `encoding`, from the stream to which this one writes."""
        return getattr(self._stream, name)


@contextmanager
def guarded_output(commands: TextIO) -> Iterator[TextIO]:
    """Change what the block prints to stdout or stderr, so that a runner of GitHub finds no workflow command in it.
    Yield the unguarded stream `commands`, to which the job writes its own workflow commands."""
    out, err = sys.stdout, sys.stderr
    guarded = Guarded(out), Guarded(err)
    sys.stdout, sys.stderr = guarded
    try:
        yield commands
    finally:
        for stream in guarded:
            stream.flush()
        sys.stdout, sys.stderr = out, err
