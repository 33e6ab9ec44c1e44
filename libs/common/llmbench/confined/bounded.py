"""Run a subprocess that reads untrusted input, with a clean environment and a time limit for its output.

The process receives none of the service's secrets: no master key, no database URL, no NATS URL. The program that runs
in it may give up further rights (see `confinement`).
"""

import contextlib
import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import IO, Final, Literal, Self

# The environment variables that the process receives: they locate the interpreter and its libraries, and set the
# locale.
_KEPT: Final = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "PYTHONPATH", "PYTHONHOME")
_BLOCK_BYTES: Final = 256 * 1024
MAX_LINE_BYTES: Final = 64 * 1024 * 1024
"""The maximum length of a line of output, which the parent has to hold in memory. The process is killed if it writes a
longer line."""
_END_PATIENCE_S: Final = 30.0


class BoundedProcess:
    """A subprocess `python -m module arguments`, which is killed at the end of the `with` block.

    `stdin` and `stdout` are as in `subprocess.Popen`. The error output is dropped. `environment` adds variables to the
    few that the process inherits. `max_output_bytes` is the maximum length of its complete output, for a process whose
    output is untrusted; if it writes more, it is killed (see `lines`).
    """

    def __init__(
        self,
        module: str,
        *arguments: str,
        stdin: IO[bytes] | int = subprocess.PIPE,
        stdout: IO[bytes] | int = subprocess.PIPE,
        environment: Mapping[str, str] | None = None,
        max_output_bytes: int | None = None,
    ) -> None:
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        self._process = subprocess.Popen(  # noqa: S603  # this interpreter and a module of ours
            # -P: do not import from the service's working directory.
            [sys.executable, "-P", "-m", module, *arguments],
            stdin=stdin,
            stdout=stdout,
            stderr=subprocess.DEVNULL,
            env={**kept, "PYTHONIOENCODING": "utf-8", **(environment or {})},
        )
        self._rest = bytearray()
        self._output_left = max_output_bytes
        self.exceeded: Literal["time", "output"] | None = None
        """The limit for which `lines` killed the process."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()

    def write(self, data: bytes) -> None:
        """Write to the buffered input of the process. If the process has ended, this call or a later one raises
        OSError."""
        assert self._process.stdin is not None
        self._process.stdin.write(data)

    def flush(self) -> None:
        """Send the buffered input to the process. Raises OSError if the process has ended."""
        assert self._process.stdin is not None
        self._process.stdin.flush()

    def line(self, patience_s: float) -> bytes | None:
        """Wait up to `patience_s` seconds for the next line of the output, and return it.

        Return `None` at the end of the output, and when the process exceeds a limit and is killed (see `lines`).
        """
        return next(self.lines(patience_s), None)

    def lines(self, patience_s: float) -> Iterator[bytes]:
        """Yield the lines of the output, each with its newline. Text after the last newline is dropped.

        If a line is longer than `MAX_LINE_BYTES`, the output is longer than it may be, or the total wait for lines
        exceeds `patience_s` seconds, the process is killed. The lines then end without an error. The caller's own
        processing time does not count.
        """
        assert self._process.stdout is not None
        descriptor = self._process.stdout.fileno()
        poll = select.poll()
        poll.register(descriptor, select.POLLIN | select.POLLHUP)
        searched = 0
        while True:
            end = self._rest.find(b"\n", searched)
            if end >= 0:
                line = bytes(self._rest[: end + 1])
                del self._rest[: end + 1]
                searched = 0
                yield line
                continue
            searched = len(self._rest)
            began = time.monotonic()
            ready = poll.poll(max(0.0, patience_s) * 1000)
            patience_s -= time.monotonic() - began
            if not ready or searched > MAX_LINE_BYTES:
                self._end_for("output" if ready else "time")
                return
            block = os.read(descriptor, _BLOCK_BYTES)
            if not block:
                return
            if self._output_left is not None:
                self._output_left -= len(block)
                if self._output_left < 0:
                    self._end_for("output")
                    return
            self._rest += block

    def _end_for(self, limit: Literal["time", "output"]) -> None:
        self.exceeded = limit
        self._process.kill()

    def end(self) -> int:
        """Close the input, wait for the process to end, and return its exit status.

        The status is negative if a signal ended the process. A process that has not ended after 30 s is killed. Raises
        OSError if buffered input can no longer be sent.
        """
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            return self._process.wait(_END_PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()
