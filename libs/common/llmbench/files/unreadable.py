"""The nesting limit that all file readers share, and the error of a file that cannot be read."""

from typing import Final

MAX_DEPTH: Final = 50
"""The deepest accepted nesting: real data is flatter, and deeper nesting can exhaust a parser."""


class Unreadable(Exception):
    """Raised when the file cannot be read beyond `line`, which counts from 1. `message` says why."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message
