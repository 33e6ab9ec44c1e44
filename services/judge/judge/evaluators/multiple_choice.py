"""Multiple choice: the letter that the answer chooses is the right one."""

import string
from collections.abc import Mapping
from typing import Any

from pydantic import Field

from judge.domain.cannot_score import CannotScore
from judge.domain.choice import chosen_letter
from judge.domain.references import references
from judge.evaluators.base import Example, Params, by_program, scored
from llmbench.contracts.answer_scored import Scored
from llmbench.contracts.judge_answer import JudgeAnswer


class MultipleChoiceParams(Params):
    letters: str = Field(
        default="ABCDEFGHIJ",
        min_length=2,
        max_length=26,
        pattern="^[A-Z]+$",
        description="The letters that may be chosen. Where the case's metadata has `choices`, as many as there are.",
    )
    expected: str | None = Field(
        default=None,
        pattern="^[A-Z]$",
        description="The right letter. Without it, the letter that the case's reference begins with, or whose "
        "text in the metadata's `choices` it is.",
    )


def score(task: JudgeAnswer, params: MultipleChoiceParams) -> Scored:
    texts = _choices(task.case.metadata)
    letters = "".join(texts) or params.letters
    right = params.expected or _expected(task, letters, texts)
    letter, told = chosen_letter(task.answer, letters, texts)
    if letter is None:
        reason = "The answer chooses no letter, or several."
    else:
        reason = f"The answer chooses {letter}, right is {right}."
    return scored(float(letter == right), passed=letter == right, reason=reason, chosen=letter, told_by=told)


def _choices(metadata: Mapping[str, Any]) -> dict[str, str]:
    """Of `choices` in the metadata: a list of texts, or an object from letter to text."""
    choices = metadata.get("choices")
    if isinstance(choices, list):
        return {letter: str(text) for letter, text in zip(string.ascii_uppercase, choices, strict=False)}
    if isinstance(choices, dict):
        return {str(name).upper(): str(text) for name, text in choices.items() if str(name).upper() in _LETTERS}
    return {}


_LETTERS = set(string.ascii_uppercase)


def _expected(task: JudgeAnswer, letters: str, texts: Mapping[str, str]) -> str:
    for reference in references(task.case):
        same = [letter for letter, text in texts.items() if text.strip().casefold() == reference.strip().casefold()]
        letter = same[0] if len(same) == 1 else chosen_letter(reference, letters, texts)[0]
        if letter is not None:
            return letter
    raise CannotScore(
        f"No reference of the case {task.case.task_id!r} names one of the letters {letters}. Give it one, or set "
        "`expected`."
    )


EVALUATOR = by_program(
    kind="multiple_choice",
    title="Multiple choice",
    description="The letter that the answer chooses is the right one. An answer that chooses none, or several, "
    "is wrong.",
    params=MultipleChoiceParams,
    score=score,
    examples=(
        Example(
            name="just the letter",
            answer="(b).",
            case={"expected_output": "B"},
            verdict={"outcome": "scored", "raw": 1.0, "details": {"chosen": "B", "told_by": "only"}},
        ),
        Example(
            name="the last statement counts",
            answer="The answer is A... no wait, the answer is **C**.",
            case={"expected_output": "C) Rome"},
            verdict={"raw": 1.0, "details": {"chosen": "C", "told_by": "stated"}},
        ),
        Example(
            name="A is a word here",
            answer="A good question! I choose D, because it fits.",
            case={"expected_output": "D"},
            verdict={"raw": 1.0, "details": {"chosen": "D", "told_by": "single"}},
        ),
        Example(
            name="the text of a choice",
            answer="That would be paris.",
            case={"expected_output": "Paris", "metadata": {"choices": ["Rome", "Paris"]}},
            verdict={"raw": 1.0, "details": {"chosen": "B", "told_by": "text"}},
        ),
        Example(
            name="several letters",
            answer="B or C",
            case={"expected_output": "B"},
            verdict={"raw": 0.0, "passed": False, "details": {"chosen": None, "told_by": "none"}},
        ),
        Example(
            name="a reference without a letter is no score",
            answer="B",
            case={"expected_output": "Paris"},
            verdict={"outcome": "errored"},
        ),
    ),
)
