"""Recognise errors by their wording where the HTTP status alone says too little.

The patterns are in the profiles: `base.SIGNS` applies to every provider, a vendor's own patterns are in the vendor's
profile. A long text is ignored, because it may quote the prompt.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

LONGEST_SIGN = 500
ERRORS = range(400, 600)
SERVER_ERRORS = range(500, 600)


class Meaning(Enum):
    LOADING = "The model is being loaded."
    BUSY = "The server has too much to do."
    NO_CREDIT = "The account has no credit left."
    TOO_LARGE = "This request alone exceeds the limit of the key: shorten it, or have the limit raised."


@dataclass(frozen=True)
class Sign:
    """A pattern of errors: an error with one of `statuses` whose code, type or message matches `words` means `meaning`.

    Without `words` the status is enough. An error within a 200 answer may have no status; then the words are enough.
    Each of `examples` is a status and a body as a provider sent it.
    """

    meaning: Meaning
    words: re.Pattern[str] | None
    examples: tuple[tuple[int, str], ...]
    statuses: range | frozenset[int] = ERRORS

    def fits(self, status: int | None, text: str) -> bool:
        if self.words is None:
            return status in self.statuses
        return (status is None or status in self.statuses) and self.words.search(text) is not None


def sign(
    meaning: Meaning,
    words: str | None,
    *examples: tuple[int, str],
    statuses: range | frozenset[int] = ERRORS,
) -> Sign:
    pattern = None if words is None else re.compile(words, re.IGNORECASE | re.MULTILINE)
    return Sign(meaning, pattern, examples, statuses)


def meaning_of(signs: Iterable[Sign], status: int | None, text: str) -> Meaning | None:
    """Return what an error means: the `meaning` of the first sign that fits its status and its text, or `None`. `text`
    has the error's code, type and message, one per line.

    A text of more than `LONGEST_SIGN` characters counts as empty.
    """
    words = text if len(text) <= LONGEST_SIGN else ""
    return next((sign.meaning for sign in signs if sign.fits(status, words)), None)
