"""HumanEval: Python functions to be completed (Chen et al. 2021)."""

from llmbench_cli.recipes.base import Figure, Recipe

_SOURCE = "GPT-4 Technical Report, arXiv:2303.08774, table 2"

RECIPE = Recipe(
    name="humaneval",
    title="HumanEval",
    category="code",
    files="HumanEval.jsonl of the authors, or the Parquet of openai/openai_humaneval: task_id, prompt, "
    "canonical_solution, test, entry_point",
    metric="pass@1: the share of functions that pass their unit tests.",
    difference="Not measured.",
    figures=(
        Figure(67.0, "GPT-4", "0-shot", _SOURCE),
        Figure(48.1, "GPT-3.5", "0-shot", _SOURCE),
    ),
    refused="its metric, pass@1, runs the functions that a model writes, and llmbench has no sandbox in which to run "
    "code. Comparing the text with the canonical solution would measure something else. Run the tests with a harness "
    "that isolates them, and send the answers with their verdicts to `/v1/evaluations`",
)
