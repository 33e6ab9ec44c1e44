"""What no reader of files goes beyond, and what it says then."""

from typing import Final

MAX_DEPTH: Final = 50
"""Deeper nesting is nobody's data but an attack on whoever reads it."""


class Unreadable(Exception):
    """The file breaks off here: what follows cannot be told apart any more."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message
