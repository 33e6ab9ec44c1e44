"""Detect empty answers without a model, because judge models often accept a single ":"."""

import unicodedata

from judge.domain.fence import without_special_tokens
from llmbench.contracts.case import Case, GroundTruth


def reason_empty(answer: str, case: Case) -> str | None:
    """Return the reason why `answer` is empty, or `None` if it has to be scored.

    Invisible characters and chat template tokens do not count. Mere punctuation counts as empty if the case has
    references, and none of them is mere punctuation. So "?" is scored as an answer to "Which mark ends a question?".
    """
    seen = visible(without_special_tokens(answer))
    if not seen:
        return "The answer is empty."
    truth = case.ground_truth or GroundTruth()
    known = (case.excellent, case.good, case.pass_, case.expected_output, truth.answer, *truth.acceptable_answers)
    references = [visible(text) for text in known if text]
    if _only_punctuation(seen) and references and not any(_only_punctuation(text) for text in references):
        return "The answer has no words, numbers or symbols, only punctuation."
    return None


def visible(text: str) -> str:
    """Return `text` without white space and invisible characters, which are those of Unicode's categories Z and C."""
    # Long texts have few distinct characters.
    return text.translate({ord(char): None for char in set(text) if unicodedata.category(char)[0] in "ZC"})


def _only_punctuation(text: str) -> bool:
    return bool(text) and all(unicodedata.category(char)[0] == "P" for char in set(text))
