"""Compute the prefetch: the number of commands that wait behind the calls in flight. Quick calls need more.

Leading a run after every call costs twice as much as leading it after every fifth call, and the gateway would have to
wait meanwhile. So the prefetch covers half a second of quick calls. If a call takes a second, two commands are enough.
"""

from collections import deque
from typing import Final

from orchestrator.runs.domain.advance import PREFETCH

MOST: Final = 16
"""The upper limit. When a provider begins to refuse calls, at most this many prefetched commands fail."""
AHEAD_S: Final = 0.5
_SEEN: Final = 8


class Pace:
    """The pace at which a run's calls are answered. Times are in seconds of a monotonic clock."""

    def __init__(self) -> None:
        self._answered_at: deque[float] = deque(maxlen=_SEEN)

    def answered(self, at_s: float) -> None:
        self._answered_at.append(at_s)

    def prefetch(self, now_s: float) -> int:
        """Return a prefetch between `PREFETCH` and `MOST`, from the times of the last few answers and the current time.

        >>> pace = Pace()
        >>> for at_s in (1.0, 1.02, 1.04, 1.06):
        ...     pace.answered(at_s)
        >>> pace.prefetch(1.08), pace.prefetch(2.0)
        (16, 2)
        """
        if not self._answered_at:
            return PREFETCH
        took_s = now_s - self._answered_at[0]
        made = round(len(self._answered_at) * AHEAD_S / took_s) if took_s > 0 else MOST
        return min(MOST, max(PREFETCH, made))
