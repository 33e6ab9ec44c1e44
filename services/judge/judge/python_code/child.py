"""Run the tests of one answer with Python code, in a confined process. `process` starts this module for each answer.

The arguments are the limits: CPU time in seconds, and address space in bytes. The standard input is a line of JSON with
the fields of `process.Program`, and a `token`. The last line of the output is JSON, too: the token, so that it differs
from lines that the code printed, and the fields of `process.Result`.
"""

import ast
import json
import linecache
import os
import sys
import sysconfig
import traceback
import types
from typing import Any

from judge.domain.python_source import complete_head, defines, python_source
from llmbench.confined.confinement import NotConfinable, confine_code

_PROBLEM_CHARS = 400
_CODE_CHARS = 20_000


# Statements that run nothing of the answer. So do assignments and texts without a call.
_DEFINING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
_ASSIGNING = (ast.Assign, ast.AnnAssign, ast.Expr)


class _Failed(Exception):
    """Raised when a part of the program fails. `name` is the part, and the message says why."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name


class _CannotTest(_Failed):
    """Raised when the tests fail whatever the answer is."""

    def __init__(self, message: str) -> None:
        super().__init__("tests", message)


def main() -> None:
    processor_s, memory_bytes = int(sys.argv[1]), int(sys.argv[2])
    _keep_the_standard_library()
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="backslashreplace")
    line = sys.stdin.readline()
    _disconnect()
    try:
        confine_code(memory_bytes=memory_bytes, processor_s=processor_s)
    except NotConfinable as error:
        request, result = json.loads(line), {"unconfined": str(error)}
    else:
        request = json.loads(line)
        result = _result(request["answer"], request["setup"], request["tests"], request["entry_point"])
    replies.write("\n" + json.dumps({"token": request["token"], **result}) + "\n")
    replies.flush()
    # Nothing that the code left behind may run now: no exit handler, no destructor.
    os._exit(0)


def _keep_the_standard_library() -> None:
    """Remove everything else from the path of imports: what is installed for the service is not part of an answer."""
    standard = {sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")}
    kept = [each for each in sys.path if each in standard or os.path.dirname(each) in standard]
    sys.path[:] = [each for each in kept if os.path.basename(each) not in ("site-packages", "dist-packages")]


def _disconnect() -> None:
    """Give the code an empty input, and an output that goes nowhere: the service waits for a line, and would have to
    hold everything that the code prints."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard)


def _result(answer: str, setup: str, tests: str, entry_point: str | None) -> dict[str, Any]:
    module = types.ModuleType("answer")
    # Classes look their module up, as those of `dataclasses` do.
    sys.modules["answer"] = module
    found: dict[str, Any] = {"rule": None, "code": None}
    try:
        checked = _compiled("tests", tests)
        candidate = entry_point if defines(tests, "check") else None
        if candidate is None and _calls_nothing(tests):
            raise _CannotTest("They call nothing. Write assert statements, or a function `check` and the entry point.")
        _run("setup", _compiled("setup", complete_head(setup)), module)
        source = python_source(answer, setup, entry_point)
        if source is None:
            raise _Failed("answer", "It has no Python code.")
        found = {"rule": source.rule, "code": source.code[:_CODE_CHARS]}
        _run("answer", _compiled("answer", source.code), module)
        if entry_point is not None and entry_point not in module.__dict__:
            raise _Failed("answer", f"It does not define {entry_point}.")
        _run("tests", checked, module)
        if candidate is not None:
            _call("tests", lambda: module.__dict__["check"](module.__dict__[candidate]))
    except _CannotTest as failed:
        return {"rule": None, "code": None, "part": failed.name, "problem": str(failed)[:_PROBLEM_CHARS]}
    except _Failed as failed:
        return {**found, "part": failed.name, "problem": str(failed)[:_PROBLEM_CHARS]}
    return {**found, "part": None, "problem": None}


def _calls_nothing(tests: str) -> bool:
    """Return whether tests pass every answer, because they only define functions, as for pytest."""
    return all(
        isinstance(each, _DEFINING)
        or (isinstance(each, _ASSIGNING) and not any(isinstance(part, ast.Call) for part in ast.walk(each)))
        for each in ast.parse(tests).body
    )


def _compiled(name: str, code: str) -> types.CodeType:
    file = f"<{name}>"
    # Tracebacks show the line of the code.
    linecache.cache[file] = (len(code), None, code.splitlines(keepends=True), file)
    try:
        return compile(code, file, "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise _Failed(name, f"{type(error).__name__}: {error}") from None


def _run(name: str, code: types.CodeType, module: types.ModuleType) -> None:
    _call(name, lambda: exec(code, module.__dict__))  # noqa: S102  # the purpose of this process


def _call(name: str, function: Any) -> None:
    try:
        function()
    except BaseException as error:  # noqa: BLE001  # also SystemExit: the code must not end before its tests
        if name == "tests" and isinstance(error, ImportError) and _frames(error)[-1].filename == "<tests>":
            raise _CannotTest(_problem(error, name)) from None
        raise _Failed(name, _problem(error, name)) from None


def _frames(error: BaseException) -> list[traceback.FrameSummary]:
    """Return where the error was raised, without the system of imports."""
    return [each for each in traceback.extract_tb(error.__traceback__) if "<frozen importlib" not in each.filename]


def _problem(error: BaseException, name: str) -> str:
    try:
        said = str(error)
    except BaseException:  # noqa: BLE001  # an exception of the code has methods of the code
        said = ""
    text = type(error).__name__ + (f": {said}" if said else "")
    lines = [frame for frame in _frames(error) if frame.filename == f"<{name}>"]
    if lines:
        text = f"line {lines[-1].lineno}, {lines[-1].line}: {text}"
    return text


if __name__ == "__main__":
    main()
