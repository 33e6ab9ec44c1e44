"""Import what a module needs, and then run the module in a child process for each request.

    python fork_server.py DESCRIPTOR MODULE PRELOAD

DESCRIPTOR is a Unix socket of type SOCK_SEQPACKET. PRELOAD is Python code that imports what MODULE imports, but not
MODULE itself, so that each child executes it as `__main__` for the first time.

A request is one message. It has JSON with `argv`, `env`, `cwd`, `umask` and `new_session`, and four descriptors: stdin,
stdout, stderr and a socket. The child sends `pid N` to that socket once it has applied these settings and streams. The
server sends `code N` after the child's end, where N is negative for a signal.

The server ends when the other end of DESCRIPTOR is closed, also by a kill. The kernel then kills the children. This
file uses only the standard library, and no child imports it as a module.
"""

import contextlib
import ctypes
import gc
import io
import json
import os
import runpy
import select
import signal
import socket
import sys
import tempfile
import time
from dataclasses import dataclass
from typing import Any, TextIO

LARGEST_REQUEST = 1 << 20
_PR_SET_PDEATHSIG = 1
_KEPT_BACK = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT}
_libc = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True)
class Request:
    """A request for a process: the settings in its JSON, and its descriptors in the order stdin, stdout, stderr,
    socket."""

    settings: dict[str, Any]
    descriptors: list[int]


def next_child(control: socket.socket) -> Request:
    """Serve requests until the other end of `control` is closed, and then end the process. Return only in a child
    process, with its request."""
    server = os.getpid()
    running: dict[int, tuple[int, socket.socket]] = {}
    poll = select.poll()
    poll.register(control, select.POLLIN)
    while True:
        for ready, _ in poll.poll():
            if ready in running:
                poll.unregister(ready)
                _report_end(ready, *running.pop(ready))
                continue
            message, descriptors, _, _ = socket.recv_fds(control, LARGEST_REQUEST, 4)
            if not message:
                os._exit(0)
            # A signal that arrives before the child has its own handlers waits for them.
            signal.pthread_sigmask(signal.SIG_BLOCK, _KEPT_BACK)
            pid = os.fork()
            if pid == 0:
                _die_with(server)
                _close(control, running)
                return Request(json.loads(message), descriptors)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _KEPT_BACK)
            for descriptor in descriptors[:3]:
                os.close(descriptor)
            watched = os.pidfd_open(pid)
            running[watched] = (pid, socket.socket(fileno=descriptors[3]))
            poll.register(watched, select.POLLIN)


def _report_end(watched: int, pid: int, client: socket.socket) -> None:
    _, status = os.waitpid(pid, 0)
    # The client may have closed its end already.
    with client, contextlib.suppress(OSError):
        client.send(f"code {os.waitstatus_to_exitcode(status)}".encode())
    os.close(watched)


def _die_with(server: int) -> None:
    """Make the kernel kill this child process when the process `server` ends."""
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    # The server may have ended before.
    if os.getppid() != server:
        os._exit(1)


def _close(control: socket.socket, running: dict[int, tuple[int, socket.socket]]) -> None:
    """Close the server's descriptors in a child. Otherwise clients would not notice the end of the server."""
    control.close()
    for watched, (_, client) in running.items():
        os.close(watched)
        client.close()


def become(request: Request) -> None:
    """Turn this child into the process that was requested."""
    settings = request.settings
    if settings["new_session"]:
        os.setsid()
    os.umask(settings["umask"])
    # If there is no such folder, the traceback still goes to the server's log.
    os.chdir(settings["cwd"])
    for target, descriptor in enumerate(request.descriptors[:3]):
        os.dup2(descriptor, target)
        os.close(descriptor)
    # The interpreter sets this variable itself where none chooses a locale (PEP 538). The server was started with the
    # same choice.
    locale = {name: value for name, value in os.environ.items() if name == "LC_CTYPE"}
    # Modules may have kept `os.environ`, so it stays the same object.
    os.environ.clear()
    os.environ.update(locale | settings["env"])
    time.tzset()
    # A temporary folder that a preloaded module asked for is that of the server.
    tempfile.tempdir = None
    sys.argv = ["-m", *settings["argv"]]
    sys.path[0] = settings["cwd"]
    unbuffered = bool(settings["env"].get("PYTHONUNBUFFERED"))
    for descriptor, name in enumerate(("stdin", "stdout", "stderr")):
        stream = _stream(descriptor, getattr(sys, name), unbuffered=unbuffered and descriptor > 0)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with socket.socket(fileno=request.descriptors[3]) as client:
        client.send(f"pid {os.getpid()}".encode())
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _KEPT_BACK)


def _stream(descriptor: int, before: TextIO, *, unbuffered: bool = False) -> Any:
    """Return a standard stream for a descriptor, as a new interpreter creates it (`create_stdio` in pylifecycle.c). Its
    encoding depends on environment variables at the start of the server."""
    mode = "r" if descriptor == 0 else "w"
    raw = io.FileIO(descriptor, mode, closefd=False)
    raw.name = before.name
    stream = io.TextIOWrapper(
        raw if unbuffered else (io.BufferedReader(raw) if descriptor == 0 else io.BufferedWriter(raw)),
        encoding=before.encoding,
        errors=before.errors,
        newline=None if descriptor == 0 else "\n",
        line_buffering=not unbuffered and (raw.isatty() or descriptor == 2),
        write_through=unbuffered,
    )
    setattr(stream, "mode", mode)  # noqa: B010  # for type checkers it is read-only
    return stream


def main() -> str:
    """Run the code to preload, and serve requests. Return only in a child process, with the name of the module to
    run."""
    control = socket.socket(fileno=int(sys.argv[1]))
    module, preload = sys.argv[2:]
    # Ignore Ctrl-C here: the terminal sends it to the children, too, and they handle it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.argv = ["-m"]
    # Python put the folder of this file here. `python -m` puts the current one, which the child needs.
    sys.path[0] = os.getcwd()
    exec(preload, {"__name__": "preload"})
    gc.collect()
    # A scan by a child would copy the memory that it shares with the server.
    gc.freeze()
    become(next_child(control))
    return module


if __name__ == "__main__":
    # The module's end is the interpreter's own: exit codes, tracebacks, atexit and flushing are as after `python -m`.
    runpy.run_module(main(), run_name="__main__", alter_sys=True)
