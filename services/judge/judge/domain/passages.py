"""Find a quoted passage in text that was extracted from a PDF.

Only letters and digits are compared, without case and accents. So line breaks, hyphenation, ligatures, typographic
quotes and odd spaces make no difference. The result is a position, so that the text's own spelling can be quoted.
"""

import unicodedata
from array import array
from dataclasses import dataclass
from functools import lru_cache

LEAST_LETTERS = 8
"""The minimum number of letters and digits of a passage: a shorter one could match by coincidence."""


class TooShort(ValueError):
    """Raised when a passage has fewer than `LEAST_LETTERS` letters and digits."""


@dataclass(frozen=True)
class Searchable:
    """A text prepared for search. `letters` are its letters and digits without case and accents.

    `letters[i]` comes from `text[places[i]]`.
    """

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
    r"""Return the start and end index of the first match of `passage` in `within.text`, or `None`.

    Raises `TooShort` for a passage with fewer than `LEAST_LETTERS` letters and digits.

    >>> text = searchable("The of\ufb01ce ex-\n  amines each   claim.")
    >>> start, end = find("office examines each claim", text)
    >>> text.text[start:end]
    'ofﬁce ex-\n  amines each   claim'
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
