"""Make text from models and other untrusted sources safe to print on a terminal.

A terminal executes escape sequences: they move the cursor, set the window's title, or send input in the user's name.
Bidirectional overrides make a text look different from its content. Both are replaced by visible escapes, such as
`\\x1b[2J`.
"""

import re
from typing import Any

# Controls except newline and tab, DEL and C1; line and paragraph separators; direction marks, embeddings, overrides and
# isolates; interlinear annotations; unpaired surrogates; the invisible tag characters.
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)


def safe(text: str) -> str:
    r"""Return the text with visible escapes for characters that a terminal would interpret. Newlines and tabs stay.

    >>> print(safe("red: \x1b[31m, \u202eback"))
    red: \x1b[31m, \u202eback
    """
    return _UNSAFE.sub(_visible, text)


def safe_line(text: str, *, most: int = 0) -> str:
    """Return the text on one line, safe for a terminal. If `most` is not 0, shorten it to that many characters.

    >>> safe_line("one\\n  two")
    'one two'
    """
    line = " ".join(safe(text).split())
    return line if not most or len(line) <= most else f"{line[: most - 1]}…"


def safe_json(value: Any) -> Any:
    """Return a JSON value in which every string, and every name of a field, is safe to print on one line."""
    if isinstance(value, str):
        return safe_line(value)
    if isinstance(value, list):
        return [safe_json(element) for element in value]
    if isinstance(value, dict):
        return {safe_line(name): safe_json(element) for name, element in value.items()}
    return value


def _visible(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape", "backslashreplace").decode("ascii")
