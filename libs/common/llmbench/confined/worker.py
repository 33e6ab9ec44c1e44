"""Answer requests in one confined process that stays, because what it loads takes long: `Worker` is the service's side,
`serve` the side of the process.

A request and its reply are a line of JSON each. The first line of the output, `{"ready": true}`, is sent when the
process has loaded what it needs. The process ends when a request exceeds its CPU time or memory; the next request
starts another one.
"""

import atexit
import json
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from typing import Any

from llmbench.confined.bounded import BoundedProcess
from llmbench.confined.confinement import confine

PATIENCE_S = 60.0
"""The wall-clock limit of a request in seconds; the process itself limits its CPU time."""
START_PATIENCE_S = 120.0


class WorkerUnavailable(ValueError):
    """Raised when the process does not start; the message lists causes and remedies."""


class Worker:
    """A process `python -m module`, which calls `serve`. It starts on first use and handles one request at a time.

    `processor_s` is the CPU time in seconds that a request may use; the program gets it as its argument. `unavailable`
    is the message of the error if the process does not start.
    """

    def __init__(self, module: str, *, processor_s: float, unavailable: str) -> None:
        self._module = module
        self._processor_s = processor_s
        self._unavailable = unavailable
        self._lock = threading.Lock()
        self._process: BoundedProcess | None = None
        atexit.register(self.close)

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the reply; `None` if a limit was exceeded, after which the process is killed.

        Blocks, so call it in a thread. Raises `WorkerUnavailable` if the process does not start.
        """
        with self._lock:
            line = json.dumps(request).encode() + b"\n"
            try:
                process = self._send(line)
            except OSError:
                self.close()
                process = self._send(line)
            return self._reply(process, PATIENCE_S)

    def close(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()

    def _send(self, line: bytes) -> BoundedProcess:
        """Send a request. Raises `OSError` if the process has ended meanwhile."""
        process = self._running()
        process.write(line)
        process.flush()
        return process

    def _running(self) -> BoundedProcess:
        if self._process is not None and self._process.is_running:
            return self._process
        self.close()
        self._process = process = BoundedProcess(self._module, str(self._processor_s))
        if self._reply(process, START_PATIENCE_S) is None:
            raise WorkerUnavailable(self._unavailable)
        return process

    def _reply(self, process: BoundedProcess, patience_s: float) -> dict[str, Any] | None:
        line = process.line(patience_s)
        if line is None:
            self.close()
            return None
        reply: dict[str, Any] = json.loads(line)
        return reply


def serve(load: Callable[[], Callable[[Any], Mapping[str, Any]]], *, memory_bytes: int) -> None:
    """Answer the requests on the standard input until it ends, confined.

    `load` loads what is needed and returns the function that answers a request. `memory_bytes` is the limit on address
    space, in addition to what is loaded. Returns early if a request needs more memory or deeper recursion than there
    is, because the process is then in an unknown state.
    """
    processor_s = float(sys.argv[1])
    # Libraries may write to standard output, which must not mix with the replies.
    replies, sys.stdout = sys.stdout, sys.stderr
    answer = load()
    confine(memory_bytes=memory_bytes)
    # The signal's default action kills the process, even during a multiplication in C.
    signal.signal(signal.SIGPROF, signal.SIG_DFL)

    def say(reply: Mapping[str, Any]) -> None:
        replies.write(json.dumps(reply) + "\n")
        replies.flush()

    say({"ready": True})
    for line in sys.stdin:
        request = json.loads(line)
        signal.setitimer(signal.ITIMER_PROF, processor_s)
        try:
            reply = answer(request)
        except (MemoryError, RecursionError):
            return
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        say(reply)
