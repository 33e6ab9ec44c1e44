"""A clock that stands still until a test sets it."""

import asyncio
from datetime import UTC, datetime, timedelta


class WoundClock:
    """A clock (port `Clock`) that stands still until `wind` sets it, forward or back. `wind` also wakes all waiting
    tasks."""

    def __init__(self, now: datetime) -> None:
        self._now = now
        self._changed = asyncio.Event()
        self._waiting: list[tuple[datetime, datetime]] = []
        """Beginning and end of each wait."""

    def now(self) -> datetime:
        return self._now

    async def wait_until(self, moment: datetime) -> None:
        wait = (self._now, moment)
        self._waiting.append(wait)
        self._change()
        try:
            while self._lasts(wait):
                await self._changed.wait()
        finally:
            self._waiting.remove(wait)

    def wind(self, now: datetime) -> None:
        self._now = now
        self._change()

    def pass_by(self, **duration: float) -> None:
        self.wind(self._now + timedelta(**duration))

    async def asleep(self, loops: int = 1) -> None:
        """Return when at least `loops` loops have done their work and sleep until a moment that is still to come.

        Before this call, set the clock forward by at least 15 s, the longest that a loop sleeps. A smaller step may not
        wake every loop.
        """
        async with asyncio.timeout(240):
            while sum(map(self._lasts, self._waiting)) < loops:
                await self._changed.wait()

    def _lasts(self, wait: tuple[datetime, datetime]) -> bool:
        """Return whether a wait continues. A wait ends when the clock reaches its moment, or is set back to before the
        wait's beginning. A wait for a real clock does not become longer either if that clock is set back."""
        began, moment = wait
        return began <= self._now < moment

    def _change(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()


def utc(text: str) -> datetime:
    """Parse a time in UTC, such as `2026-11-24 02:00`."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)
