"""Compute the prefetch: the number of commands sent to the gateway beyond the calls that may run at once.

One transaction applies the reports of several finished calls and sends new commands, because a transaction for every
call would cost twice as much. Between two such transactions, the gateway works on prefetched commands. The prefetch is
the number of calls that are answered in half a second, but at least two.
"""

from collections import deque
from typing import Final

from orchestrator.runs.domain.advance import PREFETCH

MOST: Final = 16
"""The maximum prefetch of `Pace`. It limits how many queued commands fail when a provider begins to refuse calls."""
AHEAD_S: Final = 0.5
"""The time in seconds that the prefetch covers."""
_LAST_ANSWERS: Final = 8


class Pace:
    """Measures how quickly a run's calls are answered. Times are in seconds of a monotonic clock."""

    def __init__(self) -> None:
        self._answered_at: deque[float] = deque(maxlen=_LAST_ANSWERS)

    def answered(self, at_s: float) -> None:
        self._answered_at.append(at_s)

    def prefetch(self, now_s: float) -> int:
        """Return the number of calls that are answered in `AHEAD_S` seconds, if the pace of the last few answers
        continues. The number is at least `PREFETCH` and at most `MOST`.

        Four answers in 0.08 seconds give the maximum of 16. Four answers in one second are two in half a second:

        >>> pace = Pace()
        >>> for at_s in (1.0, 1.02, 1.04, 1.06):
        ...     pace.answered(at_s)
        >>> pace.prefetch(1.08), pace.prefetch(2.0)
        (16, 2)
        """
        if not self._answered_at:
            return PREFETCH
        took_s = now_s - self._answered_at[0]
        prefetch = round(len(self._answered_at) * AHEAD_S / took_s) if took_s > 0 else MOST
        return min(MOST, max(PREFETCH, prefetch))
