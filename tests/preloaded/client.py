"""Start processes by requests to fork servers, which have imported what the processes need (see the docstring of the
package)."""

import asyncio
import asyncio.base_subprocess
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from llmbench_cli.embedded.binaries import checkout

_SCRIPT = Path(__file__).with_name("fork_server.py")
_STREAM_LIMIT = 2**16
Stream = int | IO[Any] | None
# Variables that the interpreter, the C library or a library reads at its start or import. Programs with other values
# for them need another server.
_READ_AT_START = frozenset({"TZ", "LANG", "LANGUAGE", "TERMINAL_WIDTH", "GITHUB_ACTIONS", "FORCE_COLOR"})
_READ_AT_START_PREFIXES = ("PYTHON", "LC_", "LD_", "OTEL_", "MALLOC_", "OMP_", "OPENBLAS_", "SSL_CERT_")


class _Forked:
    """A child of a fork server, with the part of `subprocess.Popen` that asyncio uses."""

    def __init__(self, pid: int, pipes: Mapping[int, IO[bytes]]) -> None:
        self.pid = pid
        self.stdin, self.stdout, self.stderr = (pipes.get(number) for number in range(3))
        self.returncode: int | None = None

    def poll(self) -> int | None:
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.returncode is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class _Transport(asyncio.base_subprocess.BaseSubprocessTransport):
    """An asyncio transport for a process that exists already, and that asyncio did not start."""

    def _start(self, *args: Any, **kwargs: Any) -> None:
        self._proc = kwargs["forked"]

    def watch(self, loop: asyncio.AbstractEventLoop, status: socket.socket) -> None:
        """Receive the exit code from the fork server, over the socket `status`, as soon as the process has ended."""

        def ended() -> None:
            loop.remove_reader(status)
            with status:
                code = status.recv(64)
            # A server that has ended sends no code, and the kernel has killed its children.
            self._process_exited(int(code.split()[1]) if code else -signal.SIGKILL)

        loop.add_reader(status, ended)


class _Server:
    """A running fork server."""

    def __init__(self, module: str, preload: str, environment: Mapping[str, str]) -> None:
        self.module = module
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  # `close` closes it
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, _SCRIPT, str(theirs.fileno()), module, preload],
                stdin=subprocess.DEVNULL,
                stdout=self._errors,
                stderr=self._errors,
                pass_fds=(theirs.fileno(),),
                env=dict(environment),
                cwd=checkout(),
            )

    def send(self, request: Mapping[str, Any], descriptors: Sequence[int]) -> None:
        """Send a request with file descriptors. This blocks while the server is still importing and several requests
        are waiting."""
        socket.send_fds(self._control, [json.dumps(request).encode()], list(descriptors))

    def close(self) -> None:
        """End the server and its children."""
        self._control.close()
        self._process.wait()
        self._errors.close()

    def errors(self) -> str:
        self._errors.seek(0)
        return self._errors.read().decode(errors="replace")


class Servers:
    """The fork servers of one process. Each serves one module, with one set of values of the environment variables that
    are read at start.

    `programs` has the code to preload for each module. Any other module is started by a new interpreter.
    """

    def __init__(self, programs: Mapping[str, str]) -> None:
        self._programs = programs
        self._running: dict[tuple[str, frozenset[tuple[str, str]]], _Server] = {}

    async def start(
        self,
        module: str,
        *arguments: str,
        stdin: Stream = None,
        stdout: Stream = None,
        stderr: Stream = None,
        env: Mapping[str, str] | None = None,
        cwd: str | os.PathLike[str] | None = None,
        umask: int = -1,
        start_new_session: bool = False,
    ) -> asyncio.subprocess.Process:
        """Start `python -m module arguments…`. The parameters are those of `asyncio.create_subprocess_exec`.

        Raises AssertionError if the code to preload fails, or if the process cannot be made as requested.
        """
        environment = dict(os.environ if env is None else env)
        if module not in self._programs:
            return await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", module, *arguments),
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                env=environment,
                cwd=cwd,
                umask=umask,
                start_new_session=start_new_session,
            )
        request = {
            "argv": arguments,
            "env": environment,
            "cwd": _absolute(cwd or ""),
            "umask": umask if umask >= 0 else _umask(),
            "new_session": start_new_session,
        }
        return await _forked(self._of(module, environment), request, (stdin, stdout, stderr))

    def close(self) -> None:
        """End all servers and the processes that they started."""
        for server in self._running.values():
            server.close()
        self._running.clear()

    def _of(self, module: str, environment: Mapping[str, str]) -> "_Server":
        read = {
            name: value
            for name, value in environment.items()
            if name in _READ_AT_START or name.startswith(_READ_AT_START_PREFIXES)
        }
        key = (module, frozenset(read.items()))
        if key not in self._running:
            self._running[key] = _Server(module, self._programs[module], read)
        return self._running[key]


async def _forked(server: _Server, request: Mapping[str, Any], streams: Sequence[Stream]) -> asyncio.subprocess.Process:
    loop = asyncio.get_running_loop()
    status, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    status.setblocking(False)
    pipes: dict[int, IO[bytes]] = {}
    try:
        with contextlib.ExitStack() as passed:
            passed.enter_context(theirs)
            given = [_descriptor(number, stream, pipes, passed) for number, stream in enumerate(streams)]
            if streams[2] == subprocess.STDOUT:
                given[2] = given[1]
            await asyncio.to_thread(server.send, request, [*given, theirs.fileno()])
        kind, _, pid = (await loop.sock_recv(status, 64)).partition(b" ")
        assert kind == b"pid", f"{server.module} cannot be preloaded or started: {server.errors()[-3000:]}"
    except BaseException:
        status.close()
        for pipe in pipes.values():
            pipe.close()
        raise
    return await _process(loop, _Forked(int(pid), pipes), status)


async def _process(
    loop: asyncio.AbstractEventLoop, forked: _Forked, status: socket.socket
) -> asyncio.subprocess.Process:
    """Return an asyncio object for the child process, as `asyncio.create_subprocess_exec` would return it."""
    protocol = asyncio.subprocess.SubprocessStreamProtocol(limit=_STREAM_LIMIT, loop=loop)
    waiter = loop.create_future()
    # asyncio itself uses only the last of these arguments, and which streams are pipes.
    stdin, stdout, stderr = (
        None if pipe is None else subprocess.PIPE for pipe in (forked.stdin, forked.stdout, forked.stderr)
    )
    transport = _Transport(loop, protocol, (), False, stdin, stdout, stderr, 0, waiter, forked=forked)
    transport.watch(loop, status)
    await waiter
    return asyncio.subprocess.Process(transport, protocol, loop)


def _descriptor(number: int, stream: Stream, pipes: dict[int, IO[bytes]], passed: contextlib.ExitStack) -> int:
    """Return the file descriptor for the child's standard stream `number`. If the stream is a pipe, its other end is
    added to `pipes`."""
    if stream is None or stream == subprocess.STDOUT:
        return number
    if stream == subprocess.DEVNULL:
        return passed.enter_context(open(os.devnull, "r+b", buffering=0)).fileno()
    if stream != subprocess.PIPE:
        return stream if isinstance(stream, int) else stream.fileno()
    read, write = os.pipe()
    ours, theirs = (write, read) if number == 0 else (read, write)
    pipes[number] = os.fdopen(ours, "wb" if number == 0 else "rb", buffering=0)
    passed.callback(os.close, theirs)
    return theirs


def _absolute(folder: str | os.PathLike[str]) -> str:
    return os.path.abspath(folder)


def _umask() -> int:
    """Return this process's umask. `os.umask` is not used, because it could read the umask only by changing it for all
    threads."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("\nUmask:")[2].split(maxsplit=1)[0], 8)
