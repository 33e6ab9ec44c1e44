"""Separate a `<think>…</think>` block at the start of an answer, because some servers do not separate reasoning
themselves.

The block is split off while it streams. Later in an answer the tags are ordinary text.
"""

from enum import Enum

_OPEN, _CLOSE = "<think>", "</think>"


class _At(Enum):
    BEGINNING = 0
    THINKING = 1
    GAP = 2
    """The position after the reasoning and before the answer. White space here belongs to neither."""
    ANSWER = 3


class ThinkBlock:
    """Splits each piece of a streamed content into a pair: reasoning and answer, either of which may be empty."""

    def __init__(self) -> None:
        self._at = _At.BEGINNING
        self._held = ""

    def feed(self, piece: str) -> tuple[str, str]:
        if self._at is _At.ANSWER:
            return "", piece
        text, self._held, reasoning = self._held + piece, "", ""
        if self._at is _At.BEGINNING:
            start = text.lstrip()
            if start.startswith(_OPEN):
                self._at, text = _At.THINKING, start.removeprefix(_OPEN).lstrip("\n")
            elif _OPEN.startswith(start):
                self._held = text
                return "", ""
            else:
                self._at = _At.ANSWER
                return "", text
        if self._at is _At.THINKING:
            reasoning, closed, text = text.partition(_CLOSE)
            if not closed:
                kept = _unfinished(reasoning)
                self._held = reasoning[len(reasoning) - kept :]
                return reasoning[: len(reasoning) - kept], ""
            self._at = _At.GAP
        answer = text.lstrip()
        if answer:
            self._at = _At.ANSWER
        return reasoning, answer

    def close(self) -> tuple[str, str]:
        """Return the text that was held back because it could have begun a tag, as a pair of reasoning and answer."""
        held, self._held = self._held, ""
        return (held, "") if self._at is _At.THINKING else ("", held)


def _unfinished(text: str) -> int:
    """Return the number of characters at the end of `text` that may begin the closing tag."""
    return next((size for size in range(len(_CLOSE) - 1, 0, -1) if text.endswith(_CLOSE[:size])), 0)
