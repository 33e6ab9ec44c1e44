"""Recognise numbers that a text denies: "not 42", "it cannot be 42", "42 is wrong"."""

import re
from collections.abc import Sequence
from itertools import pairwise

from judge.domain.number_reading import NumberOptions
from judge.domain.numbers import Number

_NOT = re.compile(
    r"(?:\b(?:not|isn't|rather than|instead of|no longer|never|nicht|kein|pas|unlike|≠|not equal to|"
    r"(?:cannot|can't|couldn't|could not|won't|will not) be|"
    r"(?:wrong|incorrect|naive) (?:answer|result|value|guess|solution)(?: is| was| would be|:)|"
    r"(?:(?:do not|don't) (?:think|believe)|doubt|not sure)(?: that| if| whether)? (?:it|that|the answer)(?: is|'s))"
    r"|≠|!=)\s"
    r"(?:(?:just|only|simply|merely|the|a|\$)\s?){0,2}\W{0,3}\Z",
    re.IGNORECASE,
)
_NOT_ONLY = re.compile(r"\bnot (?:just|only|simply|merely)\W*\Z", re.IGNORECASE)
_DENIED_AFTER = re.compile(
    r"[*_\"'`)]{0,4}(?:,?\s(?:but\s)?(?:(?:that|this|it|which)\s)?(?:is|was|would be|must be)\s"
    r"(?:(?:definitely|clearly|certainly|probably|also)\s)?"
    r"(?:wrong|incorrect|false|not (?:right|correct|true|the (?:right |correct )?answer))\b"
    r"|\?\s(?:no|nope|wrong|nein|non)\b)",
    re.IGNORECASE,
)
_NO = re.compile(r"\W{0,4}(?:no|nope|wrong|nein|non)\b", re.IGNORECASE)
_ASKS_FOR_WRONG = re.compile(r"\b(?:wrong|incorrect|false|mistakes?|errors?)\b", re.IGNORECASE)


def is_denied(text: str, number: Number, options: NumberOptions) -> bool:
    """Return whether the words before or after the number deny it."""
    before = text[max(0, number.start - 40) : number.start]
    negated = _NOT.search(before) is not None and not _NOT_ONLY.search(before)
    return negated or is_denied_after(text, number, options)


def is_denied_after(text: str, number: Number, options: NumberOptions) -> bool:
    """Return whether the words after the number deny it ("42 is wrong").

    The result is always `False` if the question asks for a mistake: the wrong number is then the answer.
    """
    return bool(_DENIED_AFTER.match(text, number.end)) and not _ASKS_FOR_WRONG.search(options.question[-400:])


def answered_by_no(statements: Sequence[str]) -> set[int]:
    """Return the indexes of the statements that are questions and that the next statement answers with no: "42?
    No."."""
    return {
        index
        for index, (statement, reply) in enumerate(pairwise(statements))
        if statement.rstrip(" *_\"')").endswith("?") and _NO.match(reply)
    }
