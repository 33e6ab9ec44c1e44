"""Python tests: the answer's code passes unit tests, which run in a confined process.

Functional correctness, pass@1, as in Chen et al. 2021, "Evaluating Large Language Models Trained on Code"
(arXiv:2107.03374).
"""

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from pydantic import Field, model_validator

from judge.domain.cannot_score import CannotScore
from judge.domain.extraction import Extraction
from judge.evaluators.base import Example, Params, by_program, scored
from judge.python_code.permission import why_not
from judge.python_code.process import BadTests, CannotRun, Program, run
from llmbench.contracts.answer_scored import Scored
from llmbench.contracts.case import Case
from llmbench.contracts.judge_answer import JudgeAnswer

_MOST_CHARS: Final = 100_000
_SHOWN_CHARS: Final = 1000
# At most one program for each core. Endless programs would otherwise take all threads from the other evaluators.
_THREADS: Final = ThreadPoolExecutor(max_workers=os.cpu_count() or 1, thread_name_prefix="python_tests")


class PythonTestsParams(Params):
    tests: str | None = Field(
        default=None,
        min_length=1,
        max_length=_MOST_CHARS,
        description="Python code that raises an error unless the answer's code is right, such as assert statements. "
        "Without it, the case's metadata `tests` are used: a text, or a list of texts.",
    )
    setup: str | None = Field(
        default=None,
        max_length=_MOST_CHARS,
        description="Python code that runs before the answer's code, such as imports, or the head of the function that "
        "an answer completes. Without it, the case's metadata `setup` is used, if it has one.",
    )
    entry_point: str | None = Field(
        default=None,
        min_length=1,
        max_length=200,
        pattern=r"^[^\W\d]\w*$",
        description="The function or class that the answer has to define. If the tests define a function `check`, it "
        "is called with it. Without it, the case's metadata `entry_point` is used, if it has one.",
    )
    processor_s: int = Field(
        default=10,
        ge=1,
        le=60,
        title="Limit of processor time",
        description="The most CPU time in seconds that the code of an answer may use.",
    )

    @model_validator(mode="after")
    def _allowed(self) -> "PythonTestsParams":
        if (reason := why_not()) is not None:
            raise ValueError(reason)
        return self


def score(task: JudgeAnswer, params: PythonTestsParams) -> Scored:
    program = Program(
        answer=task.answer,
        setup=_text(task.case, "setup", params.setup) or "",
        tests=_tests(task.case, params),
        entry_point=_text(task.case, "entry_point", params.entry_point),
    )
    try:
        result = run(program, processor_s=params.processor_s)
    except (BadTests, CannotRun) as error:
        raise CannotScore(str(error)) from None
    extraction = Extraction(
        answer=None if result.code is None else result.code[:_SHOWN_CHARS],
        answer_rule=result.rule or "no code",
        reference=program.tests[:_SHOWN_CHARS],
        reference_rule="tests",
    )
    passed = result.problem is None
    return scored(float(passed), passed=passed, reason=result.problem or "The tests pass.", extraction=extraction)


def check_reference(case: Case, params: PythonTestsParams) -> None:
    """Raise `CannotScore` if neither the parameters nor the case have tests."""
    _tests(case, params)


def _tests(case: Case, params: PythonTestsParams) -> str:
    tests = _text(case, "tests", params.tests)
    if tests is None:
        raise CannotScore(
            f"The case {case.task_id!r} has no tests. Give its metadata the field `tests`, with Python code that "
            "raises an error unless the answer is right, or set the parameter `tests`."
        )
    return tests


def _text(case: Case, name: str, chosen: str | None) -> str | None:
    """Return the parameter `chosen`, or else the text of this name in the case's metadata, or `None` if there is none.

    A list of texts becomes a text of as many lines. Raises `CannotScore` for another value, and for a long text.
    """
    if chosen is not None:
        return chosen
    value: Any = case.metadata.get(name)
    if isinstance(value, list | tuple) and all(isinstance(each, str) for each in value):
        value = "\n".join(value)
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    if not isinstance(value, str) or len(value) > _MOST_CHARS:
        raise CannotScore(
            f"The field `{name}` in the metadata of the case {case.task_id!r} has to be Python code of at most "
            f"{_MOST_CHARS:,} characters."
        )
    return value


_DOUBLE: Final = {"tests": ["assert double(2) == 4", "assert double(0) == 0"], "entry_point": "double"}
_COMPLETE: Final = {
    "setup": 'def double(n: int) -> int:\n    """Return n, twice."""\n',
    "tests": "def check(candidate):\n    assert candidate(2) == 4\n    assert candidate(-1) == -2\n",
    "entry_point": "double",
}
_RIGHT: Final = "def double(n):\n    return 2 * n\n"

EVALUATOR = by_program(
    kind="python_tests",
    title="Python tests",
    description="The Python code of the answer passes unit tests. The code runs in a confined process with only the "
    "standard library: no network, no files, no other program. The operator of the judge has to allow it.",
    params=PythonTestsParams,
    score=score,
    schema_version="2",
    check_reference=check_reference,
    threads=_THREADS,
    examples=(
        Example(
            name="a function in a block",
            answer=f"Here it is:\n\n```python\n{_RIGHT}```\n\nIt doubles a number.",
            case={"metadata": _DOUBLE},
            verdict={
                "outcome": "scored",
                "raw": 1.0,
                "passed": True,
                "reason": "The tests pass.",
                "details": {
                    "extraction": {
                        "answer": _RIGHT,
                        "answer_rule": "tested block",
                        "reference": "assert double(2) == 4\nassert double(0) == 0",
                        "reference_rule": "tests",
                    }
                },
            },
        ),
        Example(
            name="a test that fails is named",
            answer="```python\ndef double(n):\n    return n + 2\n```",
            case={"metadata": _DOUBLE},
            verdict={
                "raw": 0.0,
                "passed": False,
                "reason": "The test fails: line 2, assert double(0) == 0: AssertionError",
            },
        ),
        Example(
            name="the body of a function that the case begins",
            answer="    return 2 * n",
            case={"metadata": _COMPLETE},
            verdict={"raw": 1.0, "passed": True},
        ),
        Example(
            name="the same body, from the first column and in a block",
            answer="```\nreturn n + n\n```",
            case={"metadata": _COMPLETE},
            verdict={"raw": 1.0, "passed": True},
        ),
        Example(
            name="the last attempt counts",
            answer=f"```python\ndef double(n):\n    return n\n```\nNo, that is wrong.\n```python\n{_RIGHT}```",
            case={"metadata": _COMPLETE},
            verdict={"raw": 1.0, "passed": True},
        ),
        Example(
            name="another name",
            answer="def twice(n):\n    return 2 * n",
            params={"tests": "assert double(1) == 2", "entry_point": "double"},
            verdict={"raw": 0.0, "passed": False, "reason": "The answer fails: It does not define double."},
        ),
        Example(
            name="no code",
            answer="I would multiply it by two, of course.",
            case={"metadata": _DOUBLE},
            verdict={"raw": 0.0, "passed": False, "reason": "The answer fails: It has no Python code."},
        ),
        Example(
            name="code that never ends",
            answer="def double(n):\n    while True:\n        pass",
            params={"processor_s": 1},
            case={"metadata": _DOUBLE},
            verdict={"raw": 0.0, "passed": False, "reason": "The code did not end within 1 s of CPU time."},
        ),
        Example(
            name="code that opens a file",
            answer="def double(n):\n    return len(open('/etc/passwd').read())",
            case={"metadata": _DOUBLE},
            verdict={
                "raw": 0.0,
                "reason": "The test fails: line 1, assert double(2) == 4: PermissionError: [Errno 13] Permission "
                "denied: '/etc/passwd'",
            },
        ),
        Example(
            name="code that ends the program",
            answer="def double(n):\n    return 2 * n\nimport sys\nsys.exit(0)",
            case={"metadata": _DOUBLE},
            verdict={"raw": 0.0, "reason": "The answer fails: line 4, sys.exit(0): SystemExit: 0"},
        ),
        Example(
            name="tests that are not Python are no score",
            answer=_RIGHT,
            params={"tests": "assert double(2) =="},
            verdict={"outcome": "errored"},
        ),
        Example(name="a case without tests is no score", answer=_RIGHT, verdict={"outcome": "errored"}),
    ),
)
