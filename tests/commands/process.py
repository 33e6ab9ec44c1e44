"""Run `llmbench …` as a separate process, as a user or a CI pipeline does.

The process is usually forked from a process that has already imported the command line (see `tests/preloaded`).
"""

import asyncio
import contextlib
import fcntl
import os
import pty
import struct
import sys
import termios
from dataclasses import dataclass, field
from typing import Any

from tests import preloaded
from tests.preloaded.programs import COMMAND_LINE

TIMEOUT_S = 240.0


@dataclass
class Llmbench:
    """The command line for the platform at `url`, with additional environment variables.

    `interpreted` starts a new interpreter for each command instead of forking.
    """

    url: str
    environment: dict[str, str] = field(default_factory=dict)
    interpreted: bool = False
    """Start a new interpreter for each command, instead of forking a preloaded process."""

    async def __call__(self, *arguments: str) -> "CommandResult":
        """Run the command to completion. Return its exit code and output, and fail if it prints a traceback."""
        process = await self.begin(*arguments)
        out, err = await asyncio.wait_for(process.communicate(), TIMEOUT_S)
        assert process.returncode is not None
        assert b"Traceback" not in err, err.decode()
        return CommandResult(process.returncode, out.decode(), err.decode())

    async def begin(self, *arguments: str) -> asyncio.subprocess.Process:
        """Start the command with pipes for stdout and stderr."""
        return await self._start(
            *arguments,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=self._environment(),
        )

    async def on_terminal(self, *arguments: str, columns: int = 80) -> "CommandResult":
        """Run the command on a pseudo-terminal; `out` contains everything it prints there."""
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        process = await self._start(
            *arguments,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**self._environment(), "TERM": "xterm-256color"},
        )
        os.close(theirs)
        reading = asyncio.create_task(asyncio.to_thread(_all, ours))
        code = await asyncio.wait_for(process.wait(), TIMEOUT_S)
        shown = await reading
        os.close(ours)
        return CommandResult(code, shown.decode(), "")

    async def _start(self, *arguments: str, **how: Any) -> asyncio.subprocess.Process:
        if self.interpreted:
            return await asyncio.create_subprocess_exec(sys.executable, "-m", COMMAND_LINE, *arguments, **how)
        return await preloaded.start(COMMAND_LINE, *arguments, **how)

    def _environment(self) -> dict[str, str]:
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("LLMBENCH_") and name not in ("COLUMNS", "NO_COLOR")
        }
        return {**kept, "LLMBENCH_URL": self.url, **self.environment}


@dataclass(frozen=True)
class CommandResult:
    """The result of a process: exit code, stdout and stderr."""

    code: int
    out: str
    err: str


async def until_line(process: asyncio.subprocess.Process, words: str) -> str:
    """Read stderr up to the first line with `words`, and return everything read."""
    assert process.stderr is not None
    read = ""
    async with asyncio.timeout(TIMEOUT_S):
        while words not in read:
            line = await process.stderr.readline()
            assert line, f"ended without {words!r}: {read}"
            read += line.decode()
    return read


def _all(descriptor: int) -> bytes:
    read = b""
    # Linux returns EIO when no process has the terminal open any more.
    with contextlib.suppress(OSError):
        while chunk := os.read(descriptor, 65536):
            read += chunk
    return read
