"""Distinguish writing systems that separate words with spaces from writing systems that do not, such as Chinese."""

import unicodedata
from typing import Final, Literal

from judge.domain.whole_words import unspaced

Script = Literal["spaced", "chinese", "unspaced"]
"""The kinds of script. `spaced`: spaces separate words. `chinese`: Han characters. `unspaced`: Japanese, Korean, Thai
and others.
"""

_ENOUGH: Final = 0.25
"""A text counts as written without spaces if at least this share of its letters comes from scripts without spaces.

Each such letter is a word or a syllable, while a Latin word has about five letters.
"""


def script(text: str) -> Script:
    """Return the kind of script in which `text` is mainly written; "spaced" for a text without letters."""
    letters = [char for char in text if unicodedata.category(char)[0] == "L"]
    without = [char for char in letters if unspaced(char)]
    if not without or len(without) < _ENOUGH * len(letters):
        return "spaced"
    # A single kana among many Han characters may be a quotation; Japanese prose has more kana than Han.
    han = sum(1 for char in without if _han(char))
    return "chinese" if han > 0.9 * len(without) else "unspaced"


def _han(char: str) -> bool:
    return "\u3400" <= char <= "\u4dbf" or "\u4e00" <= char <= "\u9fff" or "\U00020000" <= char <= "\U0003ffff"
