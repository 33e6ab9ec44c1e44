"""How many commands are kept ready behind those in flight: the quicker they are done, the more.

A run that is led after each call costs twice what it costs when led after five, and the gateway waits meanwhile. So
where calls are quick, as many are ready as are made in half a second. Where a call takes a second, two are.
"""

from collections import deque
from typing import Final

from orchestrator.domain.advance import PREFETCH

MOST: Final = 16
"""A provider that begins to refuse is asked this often in vain before it is left alone."""
AHEAD_S: Final = 0.5
_SEEN: Final = 8


class Pace:
    """Of one run. Times are a monotonic clock's, in seconds."""

    def __init__(self) -> None:
        self._answered_at: deque[float] = deque(maxlen=_SEEN)

    def answered(self, at_s: float) -> None:
        self._answered_at.append(at_s)

    def prefetch(self, now_s: float) -> int:
        """From `PREFETCH` to `MOST`: by the last few answers, and the time since.

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
