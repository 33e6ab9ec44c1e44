"""Test an answer's Python code in a confined process of its own (see `child`)."""

import contextlib
import json
import secrets
import signal
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

from judge.python_code.permission import why_not
from llmbench.confined.bounded import BoundedProcess

_MODULE: Final = "judge.python_code.child"
MAX_MEMORY_BYTES: Final = 512 * 1024 * 1024
"""The limit on address space in bytes, in addition to what the interpreter uses."""
PATIENCE_S: Final = 60.0
"""The wall-clock limit of a process in seconds, beyond its limit on CPU time. It ends code that sleeps, and leaves room
for a busy machine."""
# Several times the longest reply. Code can write to the output, too, and the service reads it all.
_MAX_OUTPUT_BYTES: Final = 1024 * 1024
# The order of a set must not differ between two runs of one answer.
_SAME_HASHES: Final = {"PYTHONHASHSEED": "0"}


class CannotRun(ValueError):
    """Raised when code may not be run here, or cannot be confined. The message says what to do, or what is missing."""


class BadTests(ValueError):
    """Raised when the case's own code is not Python or fails before the answer runs. The message says why."""


@dataclass(frozen=True, kw_only=True)
class Program:
    """An answer, and the case's own code that tests it.

    `setup` runs before the answer's code, `tests` after it; both run in the module of the answer. `entry_point` is the
    name of the function or class that the answer has to define, if that is known. If the tests then define a function
    `check`, as in HumanEval, it is called with the entry point.
    """

    answer: str
    setup: str
    tests: str
    entry_point: str | None


@dataclass(frozen=True, kw_only=True)
class Result:
    """The result of the tests. `problem` says why they do not pass; `None` if they do.

    `code` is the code of the answer, and `rule` how it was found; both are `None` if it was not.
    """

    code: str | None
    rule: str | None
    problem: str | None


def run(program: Program, *, processor_s: int) -> Result:
    """Test the answer, with only Python's standard library. `processor_s` is the limit on CPU time.

    Blocks, so call it in a thread. Raises `CannotRun` if code may not be run here or cannot be confined, and `BadTests`
    if the case's own code is at fault.
    """
    if (reason := why_not()) is not None:
        raise CannotRun(reason)
    token = secrets.token_hex(16)
    line = json.dumps({"token": token, **asdict(program)}).encode() + b"\n"
    with BoundedProcess(
        _MODULE,
        str(processor_s),
        str(MAX_MEMORY_BYTES),
        environment=_SAME_HASHES,
        max_output_bytes=_MAX_OUTPUT_BYTES,
    ) as process:
        # If the process has ended early, its last line or its exit status says why.
        with contextlib.suppress(OSError):
            process.write(line)
            process.flush()
        reply = _reply(process, token, processor_s + PATIENCE_S)
        status = 0
        with contextlib.suppress(OSError):
            status = process.end()
    if reply is None:
        return Result(code=None, rule=None, problem=_why_ended(process.exceeded, status, processor_s))
    if (lacking := reply["unconfined"]) is not None:
        raise CannotRun(lacking)
    part, problem = reply["part"], reply["problem"]
    if part == "setup" or (part == "tests" and reply["code"] is None):
        raise BadTests(f"The {part} of the case cannot run: {problem}")
    said = None if part is None else f"The {'answer' if part == 'answer' else 'test'} fails: {problem}"
    return Result(code=reply["code"], rule=reply["rule"], problem=said)


def _reply(process: BoundedProcess, token: str, patience_s: float) -> dict[str, str | None] | None:
    """Return the line of the output that has the token; `None` if there is none, or if it is no reply of `child`.

    Code that wants to can find the token and write such a line.
    """
    for line in process.lines(patience_s):
        if token.encode() in line:
            with contextlib.suppress(ValueError, RecursionError):
                return _read(json.loads(line))
            return None
    return None


def _read(reply: Any) -> dict[str, str | None]:
    """Return the reply with every field of `child`, if it is one. Raises `ValueError` if it is not."""
    if not isinstance(reply, dict) or not all(isinstance(value, str | None) for value in reply.values()):
        raise ValueError("not a reply")
    return {name: reply.get(name) for name in ("rule", "code", "part", "problem", "unconfined")}


def _why_ended(exceeded: Literal["time", "output"] | None, status: int, processor_s: int) -> str:
    if exceeded == "time":
        return f"The code did not end within {processor_s + PATIENCE_S:g} s: it waits for something."
    if exceeded == "output":
        return "The code wrote to the file in which the judge expects the result."
    if status in (-signal.SIGKILL, -signal.SIGXCPU):
        return f"The code did not end within {processor_s} s of CPU time."
    if status < 0:
        return f"The code ended the interpreter with signal {-status}."
    return "The code ended the interpreter before its tests had run."
