"""RewardBench: prompts with a chosen and a rejected answer (Lambert et al. 2024)."""

from llmbench_cli.judge_files.base import SAME, JudgeFile, pair, same
from llmbench_cli.recipes.base import BadRow, Json, Row, Skipped


def _case(row: Row) -> Json | Skipped:
    question, chosen, rejected = row.text("prompt"), row.text("chosen"), row.text("rejected")
    subset, number = row.text("subset"), row.fields.get("id")
    if isinstance(number, bool) or not isinstance(number, int | str):
        raise BadRow(f"'id' has to be a number, and is {number!r:.40}")
    if same(chosen, rejected):
        return SAME
    return pair(f"{subset}-{number}", subset, question, chosen, rejected)


JUDGE_FILE = JudgeFile(
    name="rewardbench",
    title="RewardBench",
    files="the Parquet or JSON lines of allenai/reward-bench: prompt, chosen, rejected, subset, id",
    source="Lambert et al., RewardBench: Evaluating Reward Models for Language Modeling, 2024",
    convert=_case,
)
