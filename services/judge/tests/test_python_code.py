"""Test the code of answers: what is found as code, which limits end it, and that it can only compute."""

import json
import subprocess
import sys
from typing import Any

import pytest
from judge_world import command

from judge.evaluators.base import Reply, Request, UnfitParams
from judge.evaluators.registry import evaluators
from judge.handlers.tell_evaluators import describe_evaluator
from judge.main import Settings, create_app
from judge.python_code.process import BadTests, CannotRun, Program, Result, run
from llmbench.confined.confinement import cannot_confine_code
from llmbench.contracts.answer_scored import Errored, Scored, Verdict
from llmbench.contracts.describe_evaluator import DescribeEvaluator

pytestmark = pytest.mark.never_rerun
LACKING = cannot_confine_code()
confined = pytest.mark.skipif(LACKING is not None, reason=f"this system cannot confine code: {LACKING}")
EVALUATOR = evaluators()["python_tests"]
RIGHT = "def double(n):\n    return 2 * n"
ENOUGH_S = 20


def result_of(answer: str, tests: str = "assert double(2) == 4", **changes: Any) -> Result:
    program: dict[str, Any] = {"answer": answer, "setup": "", "tests": tests, "entry_point": None, **changes}
    return run(Program(**program), processor_s=ENOUGH_S)


async def _never(part: str, request: Request, *, reuse: bool = False) -> Reply:
    raise AssertionError("no test asks a model")


async def scored(answer: str, metadata: dict[str, Any], **params: Any) -> Verdict:
    task = command()
    return await EVALUATOR.evaluate(
        task.model_copy(
            update={
                "evaluator": task.evaluator.model_copy(update={"kind": "python_tests", "params": params}),
                "case": task.case.model_copy(update={"metadata": metadata}),
                "answer": answer,
                "judge": None,
            }
        ),
        _never,
    )


@confined
@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ("def double(n):\n    return n", "The test fails: line 1, assert double(2) == 4: AssertionError"),
        (
            "def double(n):\n    raise OverflowError('too much')",
            "The test fails: line 1, assert double(2) == 4: OverflowError: too much",
        ),
        (
            "import numpy\n" + RIGHT,
            "The answer fails: line 1, import numpy: ModuleNotFoundError: No module named 'numpy'",
        ),
        ("x = input()\n" + RIGHT, "The answer fails: line 1, x = input(): EOFError: EOF when reading a line"),
        (RIGHT + "\nraise KeyboardInterrupt", "The answer fails: line 3, raise KeyboardInterrupt: KeyboardInterrupt"),
        (RIGHT + "\nimport os\nos._exit(0)", "The code ended the interpreter before its tests had run."),
        (RIGHT + "\nimport ctypes\nctypes.string_at(0)", "The code ended the interpreter with signal 11."),
        ("def double(n):\n    return bytearray(2**33)", "The test fails: line 1, assert double(2) == 4: MemoryError"),
        (
            "class Odd(Exception):\n    def __str__(self): raise Odd\ndef double(n): raise Odd",
            "The test fails: line 1, assert double(2) == 4: Odd",
        ),
    ],
)
def test_code_that_fails_is_named_with_its_line(answer: str, problem: str) -> None:
    assert result_of(answer).problem == problem


@confined
def test_code_may_use_classes_and_the_standard_library_and_print() -> None:
    answer = (
        "from __future__ import annotations\n"
        "import collections, dataclasses, decimal, functools, hashlib, heapq, itertools, math, random, re, statistics\n"
        "@dataclasses.dataclass\nclass Pair:\n    one: int\n    two: int\n"
        "def double(n):\n    print('x' * 10**7)\n    print('{\"token\": null, \"part\": null}')\n"
        "    hashlib.md5(b'').digest()\n    return Pair(n, n).one + Pair(n, n).two\n"
        "if __name__ == '__main__':\n    raise SystemExit('not a script here')\n"
    )
    assert result_of(answer).problem is None


@confined
def test_sets_have_the_same_order_in_every_run() -> None:
    order = "assert ''.join(set('abcdefgh')) == {}"
    found = subprocess.run(
        [sys.executable, "-c", "print(''.join(set('abcdefgh')))"],
        env={"PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert result_of(RIGHT, order.format(repr(found.stdout.strip()))).problem is None


@confined
@pytest.mark.shows("S-36")
@pytest.mark.parametrize(
    "action",
    [
        "open('/etc/passwd')",
        "open('/tmp/written', 'w')",
        "open('/proc/self/environ')",
        "__import__('os').listdir('/')",
        "__import__('os').chmod('/tmp', 0o777)",
        "__import__('os').utime('/tmp')",
        "__import__('os').fork()",
        "__import__('os').execv('/bin/true', ['true'])",
        "__import__('os').kill(__import__('os').getppid(), 0)",
        "__import__('subprocess').run(['/bin/true'])",
        "__import__('socket').socket()",
        "__import__('threading').Thread(target=print).start()",
        "__import__('resource').prlimit(__import__('os').getppid(), 7, (10, 10))",
        "__import__('resource').setrlimit(9, (-1, -1))",
        # F_SETOWN: the kernel would send signals to the service for this process.
        "__import__('fcntl').fcntl(0, 8, __import__('os').getppid())",
        "__import__('os').memfd_create('memory')",
        # A file of Python, which is readable. It is empty already.
        "__import__('os').open(__import__('urllib').__file__, __import__('os').O_TRUNC)",
    ],
)
def test_code_can_compute_and_nothing_else(action: str) -> None:
    tests = (
        f"try:\n    {action}\nexcept (OSError, RuntimeError, ValueError):\n    pass\nelse:\n    assert False, 'done'"
    )
    assert result_of("def double(n): pass", tests).problem is None


@confined
@pytest.mark.shows("S-36")
def test_process_of_the_code_has_no_secret() -> None:
    tests = "import os\nassert not [name for name in os.environ if name.startswith(('LLMBENCH', 'AWS'))], 'secrets'"
    assert result_of(RIGHT, tests).problem is None


@confined
@pytest.mark.shows("S-36")
def test_endless_code_is_ended() -> None:
    program = Program(answer="while True: pass", setup="", tests="pass", entry_point=None)
    assert run(program, processor_s=1).problem == "The code did not end within 1 s of CPU time."


REACH = (
    "import os, sys\nframe = sys._getframe()\n"
    "while 'request' not in frame.f_locals:\n    frame = frame.f_back\n"
    "token, result = frame.f_locals['request']['token'], frame.f_locals['replies'].fileno()\n"
)
"""Code of an answer that finds the file of the result, and the token that the judge expects there."""
NOT_A_REPLY = "The code ended the interpreter before its tests had run."


@confined
@pytest.mark.shows("S-36")
@pytest.mark.parametrize(
    ("written", "problem"),
    [
        ("while True: os.write(result, b'\\n' * 65536)", "file in which the judge expects"),
        ("while True: os.write(result, b'[' * 65536)", "file in which the judge expects"),
        ("os.write(result, f'{token}\\n'.encode())", NOT_A_REPLY),
        ("os.write(result, (token + '[' * 500_000 + '\\n').encode())", NOT_A_REPLY),
        ("os.write(result, ('[' * 500_000 + token + '\\n').encode())", NOT_A_REPLY),
        ("os.write(result, f'[\"{token}\"]\\n'.encode())", NOT_A_REPLY),
        ('os.write(result, f\'{{"token": "{token}", "code": 3}}\\n\'.encode())', NOT_A_REPLY),
    ],
    ids=["endless lines", "an endless line", "no JSON", "deep", "deeper", "a list", "a number"],
)
def test_hostile_result_fails_only_its_own_answer(written: str, problem: str) -> None:
    result = result_of(f"{RIGHT}\n{REACH}{written}\nos._exit(0)")
    assert result.problem is not None
    assert problem in result.problem


@confined
def test_faults_of_the_case_are_no_fault_of_the_answer() -> None:
    with pytest.raises(BadTests, match=r"^The tests of the case cannot run: SyntaxError: "):
        result_of(RIGHT, "assert double(2) ==")
    with pytest.raises(BadTests, match=r"^The setup of the case cannot run: line 1, 1 / 0: ZeroDivisionError"):
        result_of(RIGHT, setup="1 / 0")
    with pytest.raises(BadTests, match=r"cannot run: line 1, import numpy as np: ModuleNotFoundError"):
        result_of(RIGHT, "import numpy as np\nassert np.all(double(2) == 4)")
    missing = "def double(n):\n    import numpy"
    assert result_of(missing).problem == "The test fails: line 1, assert double(2) == 4: ModuleNotFoundError: " + (
        "No module named 'numpy'"
    )


@confined
@pytest.mark.parametrize(
    "tests",
    [
        "def test_double():\n    assert double(2) == 4",
        "import unittest\n\nclass TestDouble(unittest.TestCase):\n    def test(self):\n        assert double(2) == 4",
        "METADATA = {'author': 'jt'}\n\ndef check(candidate):\n    assert candidate(2) == 4",
        "# assert double(2) == 4",
    ],
    ids=["pytest", "unittest", "check without the entry point", "a comment"],
)
def test_tests_that_call_nothing_do_not_pass_every_answer(tests: str) -> None:
    with pytest.raises(BadTests, match=r"^The tests of the case cannot run: They call nothing\. "):
        result_of(RIGHT, tests)


@confined
def test_only_the_check_of_the_tests_is_called() -> None:
    answer = "def check(n, factor):\n    return n * factor\n\ndef double(n):\n    return check(n, 2)"
    assert result_of(answer, entry_point="double").problem is None
    check = "def check(candidate):\n    assert candidate(2) == 4"
    assert result_of(RIGHT, check, entry_point="double").problem is None
    wrong = result_of("def double(n):\n    return n", check, entry_point="double")
    assert wrong.problem == "The test fails: line 2, assert candidate(2) == 4: AssertionError"


@confined
@pytest.mark.parametrize("answer", ["    return 2 * n", f"```python\n{RIGHT}\n```"])
@pytest.mark.parametrize("setup", ["def double(n):\n", "def double(n):\n    # Return n, twice.\n"])
def test_setup_may_be_the_head_of_a_function(setup: str, answer: str) -> None:
    assert result_of(answer, setup=setup, entry_point="double").problem is None


@confined
async def test_tests_of_the_parameters_go_before_those_of_the_case() -> None:
    verdict = await scored(RIGHT, {"tests": "assert False"}, tests="assert double(1) == 2")
    assert isinstance(verdict, Scored)
    assert verdict.passed


@confined
@pytest.mark.parametrize("tests", [3, {"a": 1}, ["assert True", 3], "x" * 100_001])
async def test_metadata_that_is_no_code_is_named(tests: object) -> None:
    verdict = await scored(RIGHT, {"tests": tests})
    assert isinstance(verdict, Errored)
    assert "The field `tests` in the metadata of the case" in json.dumps(verdict.model_dump(mode="json"))


@pytest.mark.shows("S-36")
def test_code_runs_only_where_the_operator_allows_it() -> None:
    create_app(Settings())
    with pytest.raises(CannotRun, match="LLMBENCH_JUDGE_RUN_CODE=on"):
        result_of(RIGHT)
    with pytest.raises(UnfitParams, match="LLMBENCH_JUDGE_RUN_CODE=on"):
        EVALUATOR.read({})
    (problem,) = describe_evaluator(DescribeEvaluator(kind="python_tests", params={})).problems
    assert "LLMBENCH_JUDGE_RUN_CODE=on" in problem.message
    nested = {"checks": [{"kind": "python_tests", "params": {"tests": "pass"}}]}
    (problem,) = describe_evaluator(DescribeEvaluator(kind="case_checks", params=nested)).problems
    assert "LLMBENCH_JUDGE_RUN_CODE=on" in problem.message
    create_app(Settings(run_code="on"))
    if LACKING is None:
        assert EVALUATOR.read({})
