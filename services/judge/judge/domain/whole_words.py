"""Search for a text as complete words within a longer text, in every script."""

import re
import unicodedata
from typing import Final

# Scripts without spaces, and Korean, where particles follow a noun directly.
_UNSPACED: Final = (
    (0x0E00, 0x0EFF),
    (0x0F00, 0x109F),
    (0x1100, 0x11FF),
    (0x1780, 0x17FF),
    (0x3040, 0x30FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xAC00, 0xD7AF),
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)
_WORD_END: Final = re.compile(r"[^\w]|$")
_WITHIN_NUMBER_BEFORE: Final = re.compile(r"(?:(?<![^\W_])-\.?|\d[.,]|(?<!\w)\.)\Z")
_WITHIN_NUMBER_AFTER: Final = re.compile(r"[.,]\d")
_WITHIN_WORD_AFTER: Final = re.compile(r"#|\+(?!\w)|\+\+|'t(?!\w)")


def stands_in(text: str, part: str, *, whole_words: bool) -> bool:
    """Return whether `part` is in `text`; with `whole_words`, only if it is not inside a longer word or number.

    "can" in "can't" and "C" in "C++" are not whole words, nor is 5 in -5, 3.5 or 1,500.
    """
    if not whole_words or not part:
        return part in text
    start = text.find(part)
    while start != -1:
        end = start + len(part)
        if not _begins(text, start):
            # Every position up to the end of this word is inside the word.
            following = _WORD_END.search(text, start)
            start = text.find(part, max(start + 1, following.start() if following else start + 1))
        elif _ends(text, end):
            return True
        else:
            start = text.find(part, start + 1)
    return False


def unspaced(char: str) -> bool:
    """Return whether a character belongs to a script that does not separate words with spaces, or to Korean."""
    return any(low <= ord(char) <= high for low, high in _UNSPACED)


def _begins(text: str, start: int) -> bool:
    if start == 0:
        return True
    if text[start].isdigit() and _WITHIN_NUMBER_BEFORE.search(text[max(0, start - 3) : start]):
        return False
    return not _joined(text[start - 1], text[start])


def _ends(text: str, end: int) -> bool:
    if end == len(text):
        return True
    last = text[end - 1]
    if last.isdigit() and _WITHIN_NUMBER_AFTER.match(text, end):
        return False
    if last.isalnum() and _WITHIN_WORD_AFTER.match(text, end):
        return False
    return not _joined(last, text[end])


def _joined(before: str, after: str) -> bool:
    if unicodedata.category(after)[0] == "M":
        return True
    return _of_word(before) and _of_word(after) and not (unspaced(before) or unspaced(after))


def _of_word(char: str) -> bool:
    return char.isalnum() or char == "_" or unicodedata.category(char)[0] == "M"
