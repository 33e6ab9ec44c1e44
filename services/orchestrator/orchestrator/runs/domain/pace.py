"""Compute the prefetch: the number of commands sent to the gateway beyond the calls that may run at once.

The transaction that applies the reports of finished calls also sends new commands. A transaction for every call costs
twice as much as one for five calls. So several calls finish between two transactions, and the gateway needs commands
for that time. The prefetch has enough quick calls for half a second. If a call takes a second, two commands are enough.
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
