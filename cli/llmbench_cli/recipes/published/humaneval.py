"""HumanEval: Python functions to be completed (Chen et al. 2021)."""

import re
from typing import Final

from llmbench_cli.recipes.base import BadRow, Figure, Json, Recipe, Row

_NUMPY: Final = re.compile(r"^\s*(?:import|from)\s+numpy\b", re.MULTILINE)
_SOURCE = "GPT-4 Technical Report, arXiv:2303.08774, table 2"


def _case(row: Row) -> Json:
    begun, tests = row.text("prompt"), row.text("test")
    if _NUMPY.search(tests):
        raise BadRow("'test' imports numpy, as in HumanEval+, and code is tested with the standard library only")
    return {
        "id": row.text("task_id"),
        "prompt": begun,
        "expected_output": begun + row.text("canonical_solution"),
        "metadata": {
            "category": "humaneval",
            "setup": begun,
            "tests": tests,
            "entry_point": row.text("entry_point"),
        },
    }


RECIPE = Recipe(
    name="humaneval",
    title="HumanEval",
    category="code",
    files="HumanEval.jsonl.gz of the authors, packed or unpacked, or the Parquet of openai/openai_humaneval: task_id, "
    "prompt, canonical_solution, test, entry_point",
    metric="pass@1: the share of functions that pass their unit tests.",
    difference="Asked once for the whole function in a block of code, at temperature 0. The tests run confined, with "
    "Python's standard library of the judge and a limit of 10 s of CPU time; the authors' limit is 3 s of wall-clock "
    "time.",
    figures=(
        Figure(67.0, "GPT-4", "0-shot", _SOURCE),
        Figure(48.1, "GPT-3.5", "0-shot", _SOURCE),
    ),
    convert=_case,
    evaluators=({"kind": "python_tests"},),
    params={
        "temperature": 0,
        "max_tokens": 1024,
        "system_prompt": "Complete the Python function. Answer with the whole function, and with the imports that it "
        "needs, in one block of code.",
    },
)
