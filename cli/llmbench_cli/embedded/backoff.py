"""Compute the delay before a process is restarted, without side effects."""

from dataclasses import dataclass

WINDOW_S = 60.0
MANY_DEATHS = 5
SLOW_S = 15.0
_FIRST_S = 0.2


@dataclass(frozen=True)
class Restart:
    """The delay before a restart. `failing` is true if the process died at least `MANY_DEATHS` (5) times in the last
    `WINDOW_S` (60) seconds."""

    delay_s: float
    failing: bool


def next_restart(deaths_s: list[float], *, now_s: float) -> Restart:
    """Return the delay before the restart of a process that has just died.

    The delay begins at 0.2 s, and doubles with each death within the last `WINDOW_S`. From the fifth such death on
    (`MANY_DEATHS`) it is always `SLOW_S`, 15 s. `deaths_s` has the times of all deaths of the process, including the
    last one.

    >>> next_restart([100.0], now_s=100.0)
    Restart(delay_s=0.2, failing=False)
    >>> next_restart([100.0, 101.0, 102.0], now_s=102.0)
    Restart(delay_s=0.8, failing=False)
    >>> next_restart([100.0, 101.0, 102.0, 104.0, 108.0], now_s=108.0)
    Restart(delay_s=15.0, failing=True)
    >>> next_restart([10.0, 500.0], now_s=500.0)
    Restart(delay_s=0.2, failing=False)
    """
    recent = sum(1 for death in deaths_s if now_s - death < WINDOW_S)
    if recent >= MANY_DEATHS:
        return Restart(SLOW_S, failing=True)
    return Restart(_FIRST_S * 2 ** (recent - 1), failing=False)
