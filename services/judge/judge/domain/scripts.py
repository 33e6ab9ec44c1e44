"""The kind of script a text is written in, as far as finding its words depends on it."""

import unicodedata
from typing import Final, Literal

from judge.domain.whole_words import unspaced

Script = Literal["spaced", "chinese", "unspaced"]
"""`spaced`: words stand between spaces. `chinese`: Han characters. `unspaced`: Japanese, Korean, Thai and others."""

_ENOUGH: Final = 0.25
"""The share of letters that makes a text one of a script without spaces: each is a word or a syllable, where Latin
needs five for a word."""


def script(text: str) -> Script:
    """Return the kind of the script that most words of `text` are in."""
    letters = [char for char in text if unicodedata.category(char)[0] == "L"]
    without = [char for char in letters if unspaced(char)]
    if not without or len(without) < _ENOUGH * len(letters):
        return "spaced"
    # One kana among many Han characters may be a quotation; Japanese prose has more kana than Han.
    han = sum(1 for char in without if _han(char))
    return "chinese" if han > 0.9 * len(without) else "unspaced"


def _han(char: str) -> bool:
    return "\u3400" <= char <= "\u4dbf" or "\u4e00" <= char <= "\u9fff" or "\U00020000" <= char <= "\U0003ffff"
