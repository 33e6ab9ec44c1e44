"""Normalise texts before comparison: remove differences that do not count."""

import re
import string
import unicodedata
from functools import lru_cache
from itertools import groupby
from typing import Final, Literal

_ARTICLES = re.compile(r"(?<![\w'-])(?:a|an|the)\s+(?=\w)", re.IGNORECASE)
"""Articles, which precede a word: the A in "Plan A" or "A* search" is no article."""
_LONGEST_RUN_OF_MARKS = 30
"""The maximum number of successive combining marks (Unicode's Stream-Safe Text Format).

Longer runs take quadratic time to normalise.
"""

_MEANINGFUL: Final = ("<super>", "<sub>", "<fraction>")
"""Compatibility forms whose plain characters mean something else: 10² is not 102, ½ is not 12."""
_INDEX: Final = re.compile("(?<=[^\\W\\d_])[₀-₉]+")
_INDEX_DIGITS: Final = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_TYPOGRAPHY: Final = {
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u02bc\u2032\u00b4", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033", '"'),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2212", "-"),
}
_VISIBLE_FORMATS: Final = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u08e2\U000110bd")
_SQUAD_PUNCTUATION: Final = str.maketrans("", "", string.punctuation)
_SQUAD_ARTICLES: Final = re.compile(r"\b(a|an|the)\b")


def simplified(text: str, *, case: bool, punctuation: bool, articles: bool, accents: bool) -> str:
    """Return `text` in plain characters with single spaces. Each flag that is true removes the differences that it
    names: `case` makes all letters small, `punctuation` removes punctuation marks, and so on.

    If nothing would remain, only the flag `case` takes effect: a question mark may be the correct answer.
    """
    spaced = " ".join(plain(text).split())
    if case:
        spaced = normal("NFC", spaced.casefold())
    reduced = spaced
    if accents:
        reduced = normal("NFD", reduced)
        reduced = reduced.translate({ord(char): None for char in set(reduced) if unicodedata.combining(char)})
    if punctuation:
        reduced = without_punctuation(reduced)
    if articles:
        reduced = _ARTICLES.sub(" ", reduced)
    return " ".join(reduced.split()) or spaced


def plain(text: str) -> str:
    """Return `text` in NFKC, without invisible characters, with ASCII quotes and hyphens.

    Superscripts, subscripts and fractions stay, because 10² is not 102; an index after a letter (H₂O) becomes H2O.
    """
    if text.isascii():
        return text
    composed = normal("NFC", text)
    known = {char: _plain_char(char) for char in set(composed)}
    folded = normal("NFC", "".join([known[char] for char in composed]))
    return _INDEX.sub(lambda match: match[0].translate(_INDEX_DIGITS), folded)


def squad(text: str) -> str:
    """Return `text` in the form that SQuAD's official script (v1.1) compares.

    This form has lower case, no ASCII punctuation, no articles, and single spaces. In addition, the two encodings of an
    accented letter are made equal (NFC).
    """
    bare = normal("NFC", text).lower().translate(_SQUAD_PUNCTUATION)
    return " ".join(_SQUAD_ARTICLES.sub(" ", bare).split())


def without_punctuation(text: str) -> str:
    """Return plain `text` without the punctuation that only structures it.

    Marks that are part of a value stay: the sign of -5, the point of 3.14 and .5, the marks of C#, 50% and AT&T, 1/2.
    The dots of an abbreviation (U.S.A.) and the comma of 1,000 are removed without a gap. Other punctuation becomes a
    space.
    """
    joined = _INITIALS_APART.sub(r"\1.", text)
    for pattern, replacement in _JOINS:
        joined = pattern.sub(replacement, joined)
    kept = {match.start() for match in _KEPT.finditer(joined)}
    separators = {char for char in set(joined) if _separates(char)}
    bare = "".join(" " if char in separators and position not in kept else char for position, char in enumerate(joined))
    # Removed marks may have left spaces around &, as in "A: & B".
    return " ".join(bare.split()).replace(" &", "&").replace("& ", "&")


# "J. K. Rowling" becomes "J.K. Rowling", "U. S. A." becomes "U.S.A.".
_INITIALS_APART: Final = re.compile(r"\b([^\W\d_])\.\s(?=[^\W\d_]\.)")
_JOINS: Final = (
    # Points between the letters of an abbreviation: "U.S.A.", "Ph.D.", "B.Sc."
    (re.compile(r"(?<=[^\W\d_])\.(?=[^\W\d_](?![^\W_]))|(?<=\b[^\W\d_])\.(?=[^\W\d_]{2}(?![^\W_]))"), ""),
    # Separators of thousands, spaces around &, and apostrophes within a word.
    (re.compile(r"(?<=\d)[,'](?=\d{3}(?!\d))| (?=&)|(?<=&) |(?<=[^\W\d_])'(?=[^\W\d_])"), ""),
)
_KEPT: Final = re.compile(
    r"(?<![^\W_])(?<![^\W_]\))-(?=\.?\d|[$€£¥₹]\d)"  # a sign
    r"|(?<=\d)[./](?=\d)|(?<![\w.])\.(?=\d)|(?<=\d)%"  # 3.14, 1/2, .5, 50%
    r"|(?<=[^\W_])#(?!\w)|[&@]"  # C#, AT&T
    r"|(?<=\b[^\W\d_])-(?!\w)|(?<=\b[^\W\d_]{2})-(?!\w)"  # the grade A-, the blood group AB-
    r"|!(?==)"
)


def _separates(char: str) -> bool:
    return char == "`" or unicodedata.category(char)[0] == "P"


@lru_cache(maxsize=4096)
def _plain_char(char: str) -> str:
    if char in _TYPOGRAPHY:
        return _TYPOGRAPHY[char]
    if (unicodedata.category(char) == "Cf" and char not in _VISIBLE_FORMATS) or "\ufe00" <= char <= "\ufe0f":
        return ""
    decomposition = unicodedata.decomposition(char)
    if not decomposition.startswith("<") or decomposition.startswith(_MEANINGFUL):
        return char
    return "".join(_plain_char(chr(int(code, 16))) for code in decomposition.split()[1:])


def normal(form: Literal["NFC", "NFD", "NFKC"], text: str) -> str:
    """Return the text in a Unicode normalisation form, or unchanged if normalising would take quadratic time."""
    return unicodedata.normalize(form, text) if _normalises_fast(text) else text


def _normalises_fast(text: str) -> bool:
    if text.isascii():
        return True
    runs = groupby(text, key=lambda char: unicodedata.combining(char) != 0)
    return all(sum(1 for _ in run) <= _LONGEST_RUN_OF_MARKS for marks, run in runs if marks)
