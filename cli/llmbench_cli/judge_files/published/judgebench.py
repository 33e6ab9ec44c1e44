"""JudgeBench: pairs of answers to hard questions; one answer of each pair is objectively right (Tan et al. 2025)."""

from llmbench_cli.judge_files.base import SAME, JudgeFile, case, same
from llmbench_cli.recipes.base import BadRow, Json, Row, Skipped

_RIGHT = {"A>B": "first", "B>A": "second"}


def _case(row: Row) -> Json | Skipped:
    first, second = row.text("response_A"), row.text("response_B")
    label = row.text("label")
    if label not in _RIGHT:
        raise BadRow(f"'label' has to be A>B or B>A, and is {label!r:.40}")
    if same(first, second):
        return SAME
    return case(row.text("pair_id"), row.text("source"), row.text("question"), first, second, right=_RIGHT[label])


JUDGE_FILE = JudgeFile(
    name="judgebench",
    title="JudgeBench",
    files="the .jsonl of ScalerLab/JudgeBench: pair_id, source, question, response_A, response_B, label A>B or B>A",
    source="Tan et al., JudgeBench: A Benchmark for Evaluating LLM-Based Judges, ICLR 2025",
    convert=_case,
)
