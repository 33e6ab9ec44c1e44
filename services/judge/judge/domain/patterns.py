"""Match users' regular expressions with RE2, in linear time and bounded memory.

Python's own `re` could block the process for a pattern like `(a|aa)+$`.
"""

from typing import Any

LONGEST = 2000
"""The maximum length of a user's pattern, in characters. `Pattern` itself does not check it."""


class BadPattern(ValueError):
    """Raised when a pattern is invalid or RE2 does not support it; the text says why."""


class Pattern:
    """A pattern in RE2's syntax: no look-around, no back-references, and `\\w`, `\\d` and `\\b` know only ASCII.

    The constructor raises `BadPattern` for a pattern that RE2 does not accept.
    """

    def __init__(self, pattern: str, *, ignore_case: bool = False, dot_all: bool = False, multiline: bool = False):
        import re2

        options = re2.Options()
        options.log_errors = False
        flags = "".join(flag for flag, on in (("i", ignore_case), ("s", dot_all), ("m", multiline)) if on)
        try:
            self._re: Any = re2.compile(f"(?{flags}){pattern}" if flags else pattern, options)
        except (re2.error, UnicodeError) as error:
            reason = error.args[0] if error.args else error
            text = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
            raise BadPattern(f"not a pattern of RE2: {text[:300]}") from None

    def search(self, text: str) -> str | None:
        """Return the text of the first match, or `None`."""
        return _text(self._re.search(text.encode("utf-8", "replace")))

    def count(self, text: str) -> int:
        """Return the number of matches that do not overlap."""
        return sum(1 for _ in self._re.finditer(text.encode("utf-8", "replace")))

    def fullmatch(self, text: str) -> str | None:
        return _text(self._re.fullmatch(text.encode("utf-8", "replace")))


def _text(match: Any) -> str | None:
    if match is None:
        return None
    matched: bytes = match.group(0)
    return matched.decode("utf-8", "replace")
