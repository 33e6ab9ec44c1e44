"""MMLU: multiple-choice questions of 57 subjects (Hendrycks et al. 2021)."""

from llmbench_cli.recipes.base import LETTER_ONLY, BadRow, Figure, Json, Recipe, Row, choice_case

_SOURCE = "GPT-4 Technical Report, arXiv:2303.08774, table 2"
_LETTERS = "ABCD"


def _case(row: Row) -> Json:
    question = row.text("question")
    if "choices" in row.fields:
        choices, subject, answer = row.texts("choices"), row.text("subject"), row.fields.get("answer")
    else:
        # The authors' archive has a file per subject. Only the file's name contains the subject.
        choices = [str(row.fields.get(letter) or "") for letter in _LETTERS]
        subject = row.stem.removesuffix("_test").removesuffix("_val").removesuffix("_dev")
        letter = row.text("answer").strip()
        answer = _LETTERS.find(letter) if len(letter) == 1 else -1
    if isinstance(answer, bool) or not isinstance(answer, int) or not 0 <= answer < len(_LETTERS):
        raise BadRow(f"'answer' has to be the place of the right choice from 0, or its letter: {answer!r}")
    if len(choices) != len(_LETTERS):
        raise BadRow(f"{len(choices)} choices are not {len(_LETTERS)}")
    return choice_case(f"mmlu-{subject}-{row.number}", question, choices, answer, category=subject)


RECIPE = Recipe(
    name="mmlu",
    title="MMLU",
    category="knowledge",
    files="the Parquet of cais/mmlu: question, subject, choices, answer; or a CSV of the authors' archive, "
    "<subject>_test.csv without names: question, A, B, C, D, answer",
    metric="accuracy over all questions.",
    difference="Asked without examples (0-shot) for the letter; the published figures give five examples of a subject.",
    figures=(
        Figure(86.4, "GPT-4", "5-shot", _SOURCE),
        Figure(70.0, "GPT-3.5", "5-shot", _SOURCE),
    ),
    convert=_case,
    evaluators=({"kind": "multiple_choice", "params": {"profile": "mmlu"}},),
    params={"temperature": 0, "max_tokens": 256, "system_prompt": LETTER_ONLY},
    header=("question", "A", "B", "C", "D", "answer"),
)
