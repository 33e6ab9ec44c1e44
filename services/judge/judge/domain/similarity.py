"""Measure the similarity of two texts with rapidfuzz. The method `ratio` counts insertions and deletions only (indel
similarity); Levenshtein's distance would also count replacements.

rapidfuzz holds Python's global lock while it compares, so the lengths of the texts are limited. Two texts of
50,000 characters take 0.1 s with `ratio`. With `partial_ratio`, 5,000 against 50,000 characters take 8 s, and 1,000
against 50,000 take 0.1 s.
"""

import re
import unicodedata
from typing import Final, Literal

from judge.domain.cannot_score import CannotScore
from judge.domain.whole_words import stands_in, unspaced

Method = Literal["ratio", "partial_ratio", "token_sort_ratio", "token_set_ratio"]
SHORT_LETTERS: Final = 4
"""The maximum number of letters, digits and symbols of a short text.

One edit can turn such a text into another word: No and Not, 10 and 100.
"""
SHORT_WORDS: Final = 5
"""The maximum number of words of a short reference. An answer has to contain the numbers of a short reference."""
UNLIKE: Final = 0.5
"""The highest score of texts that look similar but differ in meaning."""
LONGEST_CHARS = 50_000
LONGEST_PART_CHARS = 1_000


def similarity(first: str, second: str, method: Method) -> float:
    """Return the similarity of two texts by rapidfuzz's `method`, from 0 to 1. Equal texts always get 1, also empty
    ones.

    Raises `CannotScore` for a text of more than `LONGEST_CHARS` characters. With `partial_ratio` it is also raised if
    the shorter text has more than `LONGEST_PART_CHARS`.
    """
    from rapidfuzz import fuzz

    if first == second:
        return 1.0
    shorter, longer = sorted((len(first), len(second)))
    if longer > LONGEST_CHARS:
        raise CannotScore(f"A text of {longer:,} characters is too long to compare; the limit is {LONGEST_CHARS:,}.")
    if method == "partial_ratio" and shorter > LONGEST_PART_CHARS:
        raise CannotScore(
            f"partial_ratio looks for texts of at most {LONGEST_PART_CHARS:,} characters, this one has {shorter:,}; "
            "choose another method."
        )
    value: float = getattr(fuzz, method)(first, second)
    return value / 100


def likeness(answer: str, reference: str, method: Method) -> float:
    """Return how closely `answer` matches `reference`, from 0 to 1. The caller has to pass both through `simplified`
    first.

    Equal texts get 1, and so do short texts that are equal apart from punctuation. If a text has no letter, digit or
    symbol, the result is 0. Other texts get their `similarity`, but at most `UNLIKE` in these cases:

    - One text is short, and differs from the other. Methods that compare parts of texts make an exception for an answer
      that contains the reference as complete words.
    - The reference has at most `SHORT_WORDS` words, and the answer lacks one of its numbers.
    - Only one of the texts has a negation.
    - With `partial_ratio`, one text occurs in the other only after a prefix ("legal" in "illegal").

    Raises `CannotScore` if a text is too long.
    """
    bare, wanted = _bare(answer), _bare(reference)
    if answer == reference:
        return 1.0
    if not bare or not wanted:
        return 0.0
    if bare == wanted and _letters(bare) <= SHORT_LETTERS:
        return 1.0
    by_parts = method in ("partial_ratio", "token_set_ratio")
    # Compare a much shorter answer with the complete reference: "the" is part of most texts.
    if by_parts and 2 * _letters(_ARTICLE.sub("", bare)) <= _letters(_ARTICLE.sub("", wanted)):
        method, by_parts = "ratio", False
    value = similarity(answer, reference, method)
    if min(_letters(bare), _letters(wanted)) <= SHORT_LETTERS:
        if by_parts and stands_in(bare, wanted, whole_words=True):
            return similarity(bare, wanted, method)
        return min(value, UNLIKE)
    if len(wanted.split()) <= SHORT_WORDS and not _numbers(wanted) <= _numbers(bare):
        return min(value, UNLIKE)
    if bool(_NEGATION.search(bare)) != bool(_NEGATION.search(wanted)):
        return min(value, UNLIKE)
    if method == "partial_ratio" and _only_behind_a_prefix(bare, wanted):
        return min(value, UNLIKE)
    return value


def _only_behind_a_prefix(first: str, second: str) -> bool:
    """Return whether the shorter text occurs in the longer one only after a prefix: "legal" in "illegal"."""
    shorter, longer = sorted((first, second), key=len)
    if shorter not in longer or unspaced(shorter[0]) or not shorter[0].isalnum():
        return False
    return re.search(rf"(?<!\w){re.escape(shorter)}", longer) is None


_NEGATION: Final = re.compile(
    r"\b(?:not|never|neither|nor|cannot|nicht|kein\w{0,2}|pas|jamais|nunca|non|нет|не)\b|n['\u2019]t\b|不|没有|ない",
    re.IGNORECASE,
)
_ARTICLE: Final = re.compile(r"\b(?:a|an|the)\b", re.IGNORECASE)
_NUMBER: Final = re.compile(r"(?<!\w)-?\d+(?:[.,]\d+)*|\d+(?:[.,]\d+)*")
_THOUSANDS: Final = re.compile(r",(?=\d{3}(?!\d))")


def _bare(text: str) -> str:
    """Return `text` without the punctuation around its words; signs and marks such as + and % stay."""
    words = (word.strip(_AROUND) for word in text.split())
    return " ".join(word for word in words if any(unicodedata.category(char)[0] not in "PZC" for char in word))


_AROUND: Final = "".join(set(".,;:!?\"'`()[]{}*_\u2026\u3002\u3001\u00a1\u00bf\uff0c\u300c\u300d"))


def _letters(text: str) -> int:
    """Return the number of letters, digits and symbols. A character of a script without spaces, such as Chinese, counts
    as two."""
    return sum(1 + unspaced(char) for char in text if unicodedata.category(char)[0] in "LNS")


def _numbers(text: str) -> set[str]:
    return {_THOUSANDS.sub("", number) for number in _NUMBER.findall(text)}
