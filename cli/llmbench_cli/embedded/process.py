"""Start and stop one child process.

Children get their own session, so the terminal's Ctrl-C reaches only the supervisor, such as `llmbench up`. The
supervisor then stops them one layer after another. If it is killed, the kernel stops them on Linux; elsewhere the next
start of the stack does (see `leftovers`).
"""

import asyncio
import contextlib
import ctypes
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from llmbench_cli.embedded.accounts import Account, as_account

_PR_SET_PDEATHSIG = 1

# libc is loaded before any fork: the child must import and allocate as little as possible.
_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


@dataclass(frozen=True, kw_only=True)
class ProcessSpec:
    """A program to run, and the test of its readiness. If `account` is None, the program runs as the current user.

    `ready` is awaited after each start and returns once the process can serve. It may wait for ever: the caller stops
    waiting when the process ends or time is up.
    """

    name: str
    command: tuple[str, ...]
    log: Path
    ready: Callable[[], Awaitable[None]]
    env: Mapping[str, str] = field(default_factory=dict)
    account: Account | None = None
    cwd: Path = Path("/")
    stop_signal: signal.Signals = signal.SIGTERM
    stop_grace_s: float = 10.0
    # The kernel sends this signal to the process when the supervisor is killed. It cannot send a second, stronger one.
    orphan_signal: signal.Signals = signal.SIGKILL


async def spawn(spec: ProcessSpec) -> asyncio.subprocess.Process:
    """Start the process and append its output to its log. Its environment is `spec.env` alone.

    Append mode lets the log be truncated (see `logs`) without leaving a hole.
    """
    spec.log.parent.mkdir(parents=True, exist_ok=True)
    with spec.log.open("ab", buffering=0) as log:
        return await asyncio.create_subprocess_exec(
            *spec.command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=log,
            stderr=asyncio.subprocess.STDOUT,
            cwd=spec.cwd,
            env=dict(spec.env),
            start_new_session=True,
            umask=0o077,
            preexec_fn=_die_with_parent(spec.orphan_signal),
            **as_account(spec.account),
        )


async def end(process: asyncio.subprocess.Process, spec: ProcessSpec) -> bool:
    """Ask the process to stop, and kill it after its grace period. Return whether it ended without being killed."""
    if process.returncode is not None:
        return True
    with contextlib.suppress(ProcessLookupError):
        process.send_signal(spec.stop_signal)
    try:
        async with asyncio.timeout(spec.stop_grace_s):
            await process.wait()
        return True
    except TimeoutError:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        return False


def _die_with_parent(orphan_signal: signal.Signals) -> Callable[[], None] | None:
    """Return a `preexec_fn` after which the kernel sends the signal when the parent dies; `None` except on Linux.

    The parent may die before `prctl` takes effect, so the function then checks that the parent is still the same.
    """
    libc = _libc
    if libc is None:
        return None
    parent = os.getpid()
    number = int(orphan_signal)

    def in_child() -> None:
        libc.prctl(_PR_SET_PDEATHSIG, number)
        if os.getppid() != parent:
            os._exit(1)

    return in_child
