"""Remove further questions from an answer: a base model often continues with another question after its answer."""

import re
from itertools import islice

from judge.domain.question_words import content_words

_QUESTION = re.compile(
    r"^[ \t*_#>]{0,6}(?:question|q|problem)\s?\d{0,3}[ \t*_]{0,3}:[ \t*_]{0,3}", re.IGNORECASE | re.MULTILINE
)
_MOST = 50
_SHARED = 0.5
"""The share of the words of a question in the answer that the original question must contain. With less, the question
in the answer is a new question, not a step of the answer."""


def without_next_question(text: str, question: str) -> str:
    """Return the part of an answer before the first new question in it; `question` is the question that the model was
    asked.

    A question is not new if at least half of its words are in `question`: then it is a step of the answer. The text is
    returned unchanged if no word precedes the new question, which is then taken for a quotation.
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
