"""Turn texts into file names that are safe on every system."""

import re
from typing import Final

_RESERVED: Final = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|\Z)", re.IGNORECASE)
_MOST_CHARACTERS: Final = 80


def file_name(text: str) -> str:
    """Turn a text into a file name of at most 80 ASCII letters, digits, `.`, `_` and `-`, or `run` if nothing is left.

    It contains no path. A name that Windows reserves, whatever its suffix, begins with `run-`.

    >>> file_name("Nightly: ../../etc/passwd"), file_name("…"), file_name("CON.")
    ('Nightly-..-..-etc-passwd', 'run', 'run-CON')
    """
    name = part_of_name(text)
    if _RESERVED.match(name):
        name = f"run-{name}"
    return name[:_MOST_CHARACTERS].rstrip("-.") or "run"


def part_of_name(text: str) -> str:
    """Return the text with `-` for what is not allowed in a file name. It is empty if nothing is left.

    >>> part_of_name("score from 0.5"), part_of_name("…")
    ('score-from-0.5', '')
    """
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-.")
