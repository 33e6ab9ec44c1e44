"""TruthfulQA: questions that people often answer falsely (Lin et al. 2022)."""

import hashlib
from collections.abc import Sequence

from llmbench_cli.recipes.base import LETTER_ONLY, BadRow, Figure, Json, Recipe, Row, choice_case


def _case(row: Row) -> Json:
    if "mc1_targets" in row.fields:
        targets = row.object("mc1_targets")
        if set(targets) == {"choices", "labels"}:
            choices, labels = targets["choices"], targets["labels"]
        else:
            # The authors' file maps each choice to its label.
            choices, labels = list(targets), list(targets.values())
        question, category = row.text("question"), "truthfulqa"
    elif "Best Incorrect Answer" in row.fields:
        choices, labels = [row.text("Best Answer"), row.text("Best Incorrect Answer")], [1, 0]
        question, category = row.text("Question"), row.text("Category")
    else:
        raise BadRow(
            "it has neither 'mc1_targets' nor 'Best Incorrect Answer': the generation form is judged by people or by "
            "trained judges, so take the file with multiple choices"
        )
    if not isinstance(choices, list) or not isinstance(labels, list) or len(choices) != len(labels):
        raise BadRow("'mc1_targets' has to have as many labels as choices")
    if labels.count(1) != 1 or not all(isinstance(choice, str) for choice in choices):
        raise BadRow("exactly one of the choices has to have the label 1")
    order = _order(question, len(choices))
    right = order.index(labels.index(1))
    return choice_case(f"truthfulqa-{row.number}", question, [choices[at] for at in order], right, category=category)


def _order(question: str, count: int) -> Sequence[int]:
    """Return the order in which `count` choices are shown. A hash of the question shuffles them, because the file
    always has the right choice first."""
    return sorted(range(count), key=lambda at: hashlib.sha256(f"{at}/{question}".encode()).digest())


RECIPE = Recipe(
    name="truthfulqa",
    title="TruthfulQA",
    category="truthfulness",
    files="the Parquet multiple_choice of truthfulqa/truthful_qa or mc_task.json: question, mc1_targets; or the "
    "authors' TruthfulQA.csv with two choices: Question, Best Answer, Best Incorrect Answer",
    metric="MC1: the share of questions for which the only true choice is chosen; in the CSV, of two choices.",
    difference="The model is asked for the letter, and the choices are shuffled, each question always in the same way. "
    "The authors compare the probabilities of the choices; their figure of generated answers was judged by people.",
    figures=(
        Figure(94.0, "people", "generation, truthful answers", "Lin et al. 2022, arXiv:2109.07958"),
        Figure(58.0, "GPT-3 175B", "generation, truthful answers", "Lin et al. 2022, arXiv:2109.07958"),
    ),
    convert=_case,
    evaluators=({"kind": "multiple_choice", "params": {"letters": "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}},),
    params={"temperature": 0, "max_tokens": 256, "system_prompt": LETTER_ONLY},
)
