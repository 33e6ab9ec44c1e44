"""GSM8K: word problems of grade-school mathematics (Cobbe et al. 2021)."""

import re

from llmbench_cli.recipes.base import BadRow, Figure, Json, Recipe, Row

_FINAL = re.compile(r"####\s*(-?[\d.,]+)\s*$")
_SOURCE = "GPT-4 Technical Report, arXiv:2303.08774, table 2"


def _case(row: Row) -> Json:
    solution = row.text("answer")
    found = _FINAL.search(solution)
    if found is None:
        raise BadRow("'answer' has to end with #### and the number")
    return {
        "id": f"gsm8k-{row.number}",
        "prompt": row.text("question"),
        "expected_output": found[1].replace(",", ""),
        "metadata": {"category": "gsm8k"},
    }


RECIPE = Recipe(
    name="gsm8k",
    title="GSM8K",
    category="mathematics",
    files="test.jsonl of openai/grade-school-math, or the Parquet of openai/gsm8k: question, answer",
    metric="exact match of the final number, read as lm-eval's filter flexible-extract does.",
    difference="Asked without examples (0-shot), with a system prompt that asks for steps and the number behind ####.",
    figures=(
        Figure(92.0, "GPT-4", "5-shot, chain of thought", _SOURCE),
        Figure(57.1, "GPT-3.5", "5-shot", _SOURCE),
    ),
    convert=_case,
    evaluators=({"kind": "numeric", "params": {"profile": "gsm8k"}},),
    params={
        "temperature": 0,
        "max_tokens": 1024,
        "system_prompt": "Solve the problem step by step. End with a line of #### and the final number.",
    },
)
