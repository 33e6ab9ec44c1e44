"""Patterns that people write, on texts that models write: RE2 matches in linear time and bounded memory.

Python's own `re` would hold up the whole process for a pattern like `(a|aa)+$`.
"""

from typing import Any

LONGEST = 2000
"""Characters of a pattern."""


class BadPattern(ValueError):
    """The text says what is wrong with it, or that RE2 does not know it."""


class Pattern:
    """A pattern in RE2's syntax (no look-around, no back-references; `\\w`, `\\d` and `\\b` are ASCII's)."""

    def __init__(self, pattern: str, *, ignore_case: bool = False, dot_all: bool = False, multiline: bool = False):
        import re2

        options = re2.Options()
        options.log_errors = False
        flags = "".join(flag for flag, on in (("i", ignore_case), ("s", dot_all), ("m", multiline)) if on)
        try:
            self._re: Any = re2.compile(f"(?{flags}){pattern}" if flags else pattern, options)
        except (re2.error, UnicodeError) as error:
            said = error.args[0] if error.args else error
            text = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
            raise BadPattern(f"not a pattern of RE2: {text[:300]}") from None

    def search(self, text: str) -> str | None:
        """What was matched first."""
        return _text(self._re.search(text.encode("utf-8", "replace")))

    def fullmatch(self, text: str) -> str | None:
        return _text(self._re.fullmatch(text.encode("utf-8", "replace")))


def _text(match: Any) -> str | None:
    if match is None:
        return None
    found: bytes = match.group(0)
    return found.decode("utf-8", "replace")
