"""HellaSwag: the choice of the ending that continues a scene (Zellers et al. 2019)."""

import re

from llmbench_cli.recipes.base import BadRow, Figure, Json, Recipe, Row, Skipped, choice_case

_SOURCE = "GPT-4 Technical Report, arXiv:2303.08774, table 2"
_BRACKETS = re.compile(r"\[.*?\]")


def _plain(text: str) -> str:
    """Remove the markup of WikiHow articles, such as `[title]`, in the way that lm-evaluation-harness does."""
    text = text.strip().replace(" [title]", ". ")
    return _BRACKETS.sub("", text).replace("  ", " ")


def _case(row: Row) -> Json | Skipped:
    label = row.fields.get("label")
    if label in (None, ""):
        return Skipped("it has no label; only the validation and the training set have them")
    if isinstance(label, bool) or not str(label).isdecimal():
        raise BadRow(f"'label' has to be the place of the right ending from 0, and is {label!r}")
    first, second = row.text("ctx_a"), row.fields.get("ctx_b") or ""
    if not isinstance(second, str):
        raise BadRow("'ctx_b' has to be a text")
    activity = row.text("activity_label")
    question = f"Which ending continues the text?\n\n{_plain(f'{activity}: {first} {second.capitalize()}')}"
    endings = [_plain(ending) for ending in row.texts("endings")]
    return choice_case(f"hellaswag-{row.number}", question, endings, int(str(label)), category=activity)


RECIPE = Recipe(
    name="hellaswag",
    title="HellaSwag",
    category="common sense",
    files="hellaswag_val.jsonl of the authors, or the Parquet of Rowan/hellaswag: activity_label, ctx_a, ctx_b, "
    "endings, label",
    metric="accuracy.",
    difference="The model is asked for the letter, without examples. Harnesses for base models, such as lm-eval, "
    "compare the probabilities of the endings instead, which no chat API gives: their figures are another measure.",
    figures=(
        Figure(95.3, "GPT-4", "10-shot", _SOURCE),
        Figure(85.5, "GPT-3.5", "10-shot", _SOURCE),
    ),
    convert=_case,
    evaluators=({"kind": "multiple_choice"},),
    params={
        "temperature": 0,
        "max_tokens": 256,
        "system_prompt": "Answer with the letter of the right ending only.",
    },
)
