"""Texts made alike before they are compared: differences that do not count are taken away."""

import re
import unicodedata
from itertools import groupby
from typing import Literal

_ARTICLES = re.compile(r"\b(?:a|an|the)\b", re.IGNORECASE)
_LONGEST_RUN_OF_MARKS = 30
"""Unicode's own limit for text that streams safely. Composing longer runs takes quadratic time."""


def simplified(text: str, *, case: bool, punctuation: bool, articles: bool, accents: bool) -> str:
    """Composed (NFC), with single spaces; and without what is named. Where nothing would be left, the plain
    text stays: a question mark may be the right answer."""
    plain = " ".join(normal("NFC", text).split())
    found = plain
    if case:
        found = found.casefold()
    if accents:
        found = "".join(char for char in normal("NFD", found) if not unicodedata.combining(char))
    if punctuation:
        found = "".join(" " if unicodedata.category(char)[0] == "P" else char for char in found)
    if articles:
        found = _ARTICLES.sub(" ", found)
    return " ".join(found.split()) or plain


def normal(form: Literal["NFC", "NFD", "NFKC"], text: str) -> str:
    """In that form of Unicode, unless getting there would take long."""
    return unicodedata.normalize(form, text) if _normalises_fast(text) else text


def _normalises_fast(text: str) -> bool:
    if text.isascii():
        return True
    runs = groupby(text, key=lambda char: unicodedata.combining(char) != 0)
    return all(sum(1 for _ in run) <= _LONGEST_RUN_OF_MARKS for marks, run in runs if marks)
