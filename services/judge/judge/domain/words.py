"""Split text of any script into words, for measures that count words.

The library `rouge-score` only recognises runs of a-z and 0-9, so Russian or Chinese text would have no words and score
0. On ASCII text, this module finds the same words as `rouge-score`.
"""

import re
from functools import cache
from typing import Any, Final

from judge.domain.simplified import normal

_IN_ASCII: Final = re.compile("[a-z0-9]+")
_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}"


def words(text: str) -> list[str]:
    """Return the words in lower case. A character of a script without spaces is a word of its own."""
    if text.isascii():
        return _IN_ASCII.findall(text.lower())
    raw = normal("NFKC", text).lower().encode("utf-8", "replace")
    return [word.group(0).decode() for run in _runs().finditer(raw) for word in _parts().finditer(run.group(0))]


@cache
def _runs() -> Any:
    import re2

    return re2.compile(r"[\p{L}\p{N}\p{M}]+")


@cache
def _parts() -> Any:
    import re2

    return re2.compile(rf"[{_UNSPACED}]\p{{M}}*|[^{_UNSPACED}]+")
