"""Remove further questions from an answer: a base model often continues with another question after its answer."""

import re
from itertools import islice

from judge.domain.question_words import content_words

_QUESTION = re.compile(
    r"^[ \t*_#>]{0,6}(?:question|q|problem)\s?\d{0,3}[ \t*_]{0,3}:[ \t*_]{0,3}", re.IGNORECASE | re.MULTILINE
)
_MOST = 50
_SHARED = 0.5
"""The minimum share of common words with which a question in the answer counts as a step of the question asked."""


def without_next_question(text: str, question: str) -> str:
    """Return the text up to the first question that differs from the one asked.

    A question at the beginning counts as a quotation, and one with the words of the question asked as a step of its
    answer. Both are kept.
    """
    wanted = content_words(question[-4_000:])
    if not wanted:
        return text
    for found in islice(_QUESTION.finditer(text), _MOST):
        words = content_words(text[found.end() : found.end() + 400].partition("\n")[0])
        if not words or len(words & wanted) >= _SHARED * len(words):
            continue
        return text[: found.start()] if re.search(r"\w", text[: found.start()]) else text
    return text
