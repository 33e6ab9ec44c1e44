"""LLMBar: pairs of answers, of which one follows the instruction and the other does not (Zeng et al. 2024)."""

from llmbench_cli.judge_files.base import SAME, JudgeFile, case, same
from llmbench_cli.recipes.base import BadRow, Json, Row, Skipped


def _case(row: Row) -> Json | Skipped:
    question, first, second = row.text("input"), row.text("output_1"), row.text("output_2")
    label = row.fields.get("label")
    if label not in (1, 2):
        raise BadRow(f"'label' has to be 1 or 2, and is {label!r:.40}")
    if same(first, second):
        return SAME
    return case(f"llmbar-{row.number}", row.stem, question, first, second, right="first" if label == 1 else "second")


JUDGE_FILE = JudgeFile(
    name="llmbar",
    title="LLMBar",
    files="dataset.json of princeton-nlp/LLMBar: input, output_1, output_2, label 1 or 2",
    source="Zeng et al., Evaluating Large Language Models at Evaluating Instruction Following, ICLR 2024",
    convert=_case,
)
