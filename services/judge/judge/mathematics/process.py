"""Asks the process that compares expressions: one for the service, started when it is needed first. See `worker`."""

import atexit
import contextlib
import json
import subprocess
import sys
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from judge.domain.latex_answer import identical, latex_of_answer, latex_of_reference, plainly

_COMMAND = (sys.executable, "-m", "judge.mathematics.worker")
PATIENCE_S = 60.0
"""Wall-clock time for one comparison, whose processor time the process itself limits."""
START_PATIENCE_S = 120.0


class BadExpression(ValueError):
    """The reference is no expression; the text shows it."""


class TooCostly(ValueError):
    """The comparison cannot be made here; the text says why."""


@dataclass(frozen=True, kw_only=True)
class Compared:
    """`problem` says why an answer could not be compared; such an answer is wrong."""

    same: bool
    answer: str | None
    answer_rule: str
    reference: str | None
    reference_rule: str
    problem: str | None = None


def verify(answer: str, references: Iterable[str]) -> Compared:
    """Compare with the references until one is the same. Blocks; call it in a thread. Raises `BadExpression` where none
    of them can be compared with, and `TooCostly`."""
    mine, rule = latex_of_answer(answer)
    last: Compared | None = None
    bad = ""
    for reference in references:
        if plainly(reference) == plainly(answer):
            return Compared(
                same=True,
                answer=answer.strip()[:200],
                answer_rule="identical",
                reference=reference.strip()[:200],
                reference_rule="identical",
            )
        right, right_rule = latex_of_reference(reference)
        if identical(mine, right):
            return Compared(
                same=True,
                answer=mine[:200],
                answer_rule=rule,
                reference=right[:200],
                reference_rule=right_rule,
            )
        reply = _WORKER.ask(mine, right)
        if reply is None and _WORKER.ask(mine, "$1$") is None:
            # The answer alone is too much: that is the model's doing.
            return Compared(
                same=False,
                answer=mine[:200],
                answer_rule=rule,
                reference=right[:200],
                reference_rule=right_rule,
                problem="The answer's expression takes more time or memory to compare than one may.",
            )
        if reply is None or reply["reference"] is None:
            bad = bad or reference
            continue
        read = reply["answer"] is not None
        last = Compared(
            same=reply["same"],
            answer=reply["answer"],
            answer_rule=rule if read else "no expression",
            reference=reply["reference"],
            reference_rule=right_rule,
            problem=None if read else "The answer has no expression.",
        )
        if last.same:
            return last
    if last is None:
        raise BadExpression(repr(" ".join(bad.split())[:120]))
    return last


class _Worker:
    """One process, one request at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        atexit.register(self.close)

    def ask(self, answer: str, reference: str) -> dict[str, Any] | None:
        """Return the reply; null where the process was ended over it."""
        with self._lock:
            line = json.dumps({"answer": answer, "reference": reference}).encode() + b"\n"
            process = self._running()
            assert process.stdin is not None
            try:
                process.stdin.write(line)
                process.stdin.flush()
            except OSError:
                self.close()
                process = self._running()
                assert process.stdin is not None
                process.stdin.write(line)
                process.stdin.flush()
            return self._reply(process, PATIENCE_S)

    def close(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                with contextlib.suppress(OSError):
                    if pipe is not None:
                        pipe.close()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is None:
            return self._process
        self.close()
        self._process = subprocess.Popen(  # noqa: S603  # this interpreter and a module of ours
            _COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        process = self._process
        if self._reply(process, START_PATIENCE_S) is None:
            raise TooCostly(
                "The process that compares mathematical expressions does not start: math-verify is missing, or there "
                "is too little memory. Install the project's dependencies again, or choose another profile."
            )
        return process

    def _reply(self, process: subprocess.Popen[bytes], patience_s: float) -> dict[str, Any] | None:
        timer = threading.Timer(patience_s, process.kill)
        timer.daemon = True
        timer.start()
        assert process.stdout is not None
        try:
            line = process.stdout.readline()
        finally:
            timer.cancel()
        if not line.endswith(b"\n"):
            self.close()
            return None
        reply: dict[str, Any] = json.loads(line)
        return reply


_WORKER = _Worker()
