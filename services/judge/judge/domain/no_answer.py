"""Answers without a text: cut while the model was still thinking, or no text at all."""

from judge.domain.cannot_score import CannotScore
from judge.domain.emptiness import visible
from llmbench.contracts.judge_answer import JudgeAnswer

CUT_THINKING = "The answer was cut at its token limit while the model was still reasoning: there is none."
ONLY_REASONING = "The model wrote only its reasoning, and no answer."
CUT_EMPTY = "The answer was cut at its token limit before it began."


def why_no_answer(task: JudgeAnswer) -> str | None:
    """Why there is nothing to score, which is the model's own doing and scores 0; None where there is an answer, and
    where all that is known is that it is empty. Raises `CannotScore` where it is no text: that is no fault of it."""
    if visible(task.answer):
        return None
    if task.answer_kind == "media":
        raise CannotScore("The answer is audio or images without a text, and this evaluator reads texts.")
    if task.answer_kind == "reasoning":
        return CUT_THINKING if task.cut else ONLY_REASONING
    return CUT_EMPTY if task.cut else None
