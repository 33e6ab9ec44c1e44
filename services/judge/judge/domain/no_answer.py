"""Explain why an answer has no text, for example because the model wrote only its reasoning."""

from judge.domain.cannot_score import CannotScore
from judge.domain.emptiness import visible
from llmbench.contracts.judge_answer import JudgeAnswer

CUT_THINKING = "The answer was cut at its token limit while the model was still reasoning: there is none."
ONLY_REASONING = "The model wrote only its reasoning, and no answer."
CUT_EMPTY = "The answer was cut at its token limit before it began."


def why_no_answer(task: JudgeAnswer) -> str | None:
    """Return the reason why the answer has no text, or `None` if it has one. With a reason, the answer gets the lowest
    score.

    The result is also `None` for an empty answer without a known reason. Raises `CannotScore` for audio or images
    without a text, which are no fault of the model.
    """
    if visible(task.answer):
        return None
    if task.answer_kind == "media":
        raise CannotScore("The answer is audio or images without a text, and this evaluator reads texts.")
    if task.answer_kind == "reasoning":
        return CUT_THINKING if task.cut else ONLY_REASONING
    return CUT_EMPTY if task.cut else None
