"""Finding a quoted passage in a text that came out of a PDF.

Only letters and digits are compared, without case and accents: line breaks, hyphenation, ligatures, typographic
quotes and the odd spaces of text extraction are no difference. What is found is the text's own words.
"""

import unicodedata
from array import array
from dataclasses import dataclass
from functools import lru_cache

LEAST_LETTERS = 8
"""Fewer letters and digits are found anywhere."""


class TooShort(ValueError):
    """The passage has fewer letters than can be told apart from a coincidence."""


@dataclass(frozen=True)
class Searchable:
    """`letters[i]` comes from `text[places[i]]`."""

    text: str
    letters: str
    places: "array[int]"


def searchable(text: str) -> Searchable:
    parts: list[str] = []
    places = array("L")
    for place, character in enumerate(text):
        letters = _letters(character)
        if letters:
            parts.append(letters)
            places.extend([place] * len(letters))
    return Searchable(text, "".join(parts), places)


def find(passage: str, within: Searchable) -> tuple[int, int] | None:
    """Where the first such passage begins and ends in `within.text`, or None. Raises `TooShort`.

    >>> text = searchable("The of\\ufb01ce ex-\\n  amines each   claim.")
    >>> start, end = find("office examines each claim", text)
    >>> text.text[start:end]
    'ofﬁce ex-\\n  amines each   claim'
    """
    letters = "".join(map(_letters, passage))
    if len(letters) < LEAST_LETTERS:
        raise TooShort(f"the passage has fewer than {LEAST_LETTERS} letters and digits")
    at = within.letters.find(letters)
    if at < 0:
        return None
    return within.places[at], within.places[at + len(letters) - 1] + 1


@lru_cache(maxsize=8192)
def _letters(character: str) -> str:
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", character).casefold())
    return "".join(each for each in folded if each.isalnum())
