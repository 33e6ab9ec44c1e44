"""Start and use the process that compares mathematical expressions (see `worker`).

Each process of the judge service has one such process, which starts on first use.
"""

import atexit
import json
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from judge.domain.latex_answer import identical, latex_of_answer, latex_of_reference, plainly
from llmbench.confined.bounded import BoundedProcess

_MODULE = "judge.mathematics.worker"
MAX_PROCESSOR_S = 3.0
"""The limit on CPU time for one comparison, in seconds."""
PATIENCE_S = 60.0
"""The wall-clock limit of one comparison in seconds; the process itself limits its CPU time."""
START_PATIENCE_S = 120.0


class BadExpression(ValueError):
    """Raised when no reference can be read as an expression within the limits; the message quotes the first
    reference."""


class WorkerUnavailable(ValueError):
    """Raised when the process that compares expressions does not start; the message lists causes and remedies."""


@dataclass(frozen=True, kw_only=True)
class Compared:
    """The result of comparing an answer with a reference.

    `answer` and `reference` are the expressions that were read from the texts; `answer` is `None` if the answer has no
    expression. `answer_rule` and `reference_rule` say how each was found. `problem` says why the answer could not be
    compared, else it is `None`. An answer with a problem counts as different.
    """

    same: bool
    answer: str | None
    answer_rule: str
    reference: str | None
    reference_rule: str
    problem: str | None = None


def verify(answer: str, references: Iterable[str], worker: "Worker | None" = None) -> Compared:
    """Compare the answer with each reference. Return the comparison with the first reference that equals the answer.

    If no reference equals it, return the comparison with the last reference that can be read. An answer that exceeds
    the limits of the process equals only a reference that is identical apart from notation, such as spaces. Blocks, so
    call it in a thread. Raises `BadExpression` if no reference can be read as an expression, and `WorkerUnavailable` if
    the process does not start. `worker` is the process that compares, by default the common one.
    """
    worker = worker or _WORKER
    answer_latex, rule = latex_of_answer(answer)
    last: Compared | None = None
    too_large: Compared | None = None
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
        reference_latex, right_rule = latex_of_reference(reference)
        if identical(answer_latex, reference_latex):
            return Compared(
                same=True,
                answer=answer_latex[:200],
                answer_rule=rule,
                reference=reference_latex[:200],
                reference_rule=right_rule,
            )
        if too_large is not None:
            continue
        reply = worker.ask(answer_latex, reference_latex)
        if reply is None and worker.ask(answer_latex, "$1$") is None:
            # The answer alone exceeds the limits. That is the model's fault, so the answer counts as wrong, unless a
            # later reference is identical.
            too_large = Compared(
                same=False,
                answer=answer_latex[:200],
                answer_rule=rule,
                reference=reference_latex[:200],
                reference_rule=right_rule,
                problem="The answer's expression takes more time or memory to compare than one may.",
            )
            continue
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
    if (compared := too_large or last) is None:
        raise _bad(bad)
    return compared


def require_expression(references: Iterable[str]) -> None:
    """Raise `BadExpression` if no reference can be read as an expression. Blocks, so call it in a thread.

    Raises `WorkerUnavailable` if the process does not start.
    """
    bad = ""
    for reference in references:
        reference_latex, _ = latex_of_reference(reference)
        reply = _WORKER.ask("$1$", reference_latex)
        if reply is not None and reply["reference"] is not None:
            return
        bad = bad or reference
    raise _bad(bad)


def _bad(reference: str) -> BadExpression:
    return BadExpression(repr(" ".join(reference.split())[:120]))


class Worker:
    """The process that compares expressions. It starts on first use and handles one request at a time, for which it may
    use `processor_s` seconds of CPU time."""

    def __init__(self, processor_s: float = MAX_PROCESSOR_S) -> None:
        self._processor_s = processor_s
        self._lock = threading.Lock()
        self._process: BoundedProcess | None = None
        atexit.register(self.close)

    def ask(self, answer: str, reference: str) -> dict[str, Any] | None:
        """Return the reply; `None` if a limit was exceeded, after which the process is killed. Raises
        `WorkerUnavailable` if the process does not start."""
        with self._lock:
            line = json.dumps({"answer": answer, "reference": reference}).encode() + b"\n"
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
        self._process = process = BoundedProcess(_MODULE, str(self._processor_s))
        if self._reply(process, START_PATIENCE_S) is None:
            raise WorkerUnavailable(
                "The process that compares mathematical expressions does not start: math-verify is missing, or there "
                "is too little memory. Install the project's dependencies again, or choose another profile."
            )
        return process

    def _reply(self, process: BoundedProcess, patience_s: float) -> dict[str, Any] | None:
        line = process.line(patience_s)
        if line is None:
            self.close()
            return None
        reply: dict[str, Any] = json.loads(line)
        return reply


_WORKER = Worker()
