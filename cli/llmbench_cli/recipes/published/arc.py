"""ARC: questions of science exams at school, with three to five choices (Clark et al. 2018)."""

from collections.abc import Mapping
from typing import Any

from llmbench_cli.recipes.base import LETTER_ONLY, BadRow, Figure, Json, Recipe, Row, choice_case

_SOURCE = "GPT-4 Technical Report, arXiv:2303.08774, table 2"


def _case(row: Row) -> Json:
    fields: Mapping[str, Any] = row.fields
    if isinstance(fields.get("question"), dict):
        # The authors' file has the choices within the question, as objects.
        asked = fields["question"]
        question, listed = asked.get("stem"), asked.get("choices")
        pairs = [(each.get("text"), each.get("label")) for each in listed or () if isinstance(each, dict)]
    else:
        question, choices = row.text("question"), row.object("choices")
        pairs = list(zip(choices.get("text") or (), choices.get("label") or (), strict=False))
    if not isinstance(question, str) or not question.strip():
        raise BadRow("the question is missing")
    if not all(isinstance(part, str) for pair in pairs for part in pair):
        raise BadRow("each of the choices has to have a text and a label")
    labels = [label for _, label in pairs]
    answer = row.text("answerKey").strip()
    if labels.count(answer) != 1:
        raise BadRow(f"'answerKey' {answer!r} has to be one of the labels {', '.join(map(str, labels))}")
    identity = row.text("id")
    return choice_case(identity, question, [str(text) for text, _ in pairs], labels.index(answer), category="arc")


RECIPE = Recipe(
    name="arc",
    title="ARC",
    category="science",
    files="the Parquet of allenai/ai2_arc, or the authors' ARC-Challenge-Test.jsonl: id, question, choices, answerKey",
    metric="accuracy.",
    difference="Asked without examples (0-shot) for the letter. The figures are those of the challenge set. Several "
    "choices in one answer score nothing, where the authors' script gives a share.",
    figures=(
        Figure(96.3, "GPT-4", "challenge set, 25-shot", _SOURCE),
        Figure(85.2, "GPT-3.5", "challenge set, 25-shot", _SOURCE),
    ),
    convert=_case,
    evaluators=({"kind": "multiple_choice"},),
    params={"temperature": 0, "max_tokens": 256, "system_prompt": LETTER_ONLY},
)
