"""The port to the clock of schedules, which tests can wind."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    def now(self) -> datetime:
        """Return the present time, with a time zone."""
        ...

    async def wait_until(self, moment: datetime) -> None:
        """Return when the clock shows `moment` or a later time, or a little earlier. If the clock is set meanwhile, the
        wait takes as long as if it had not been set."""
        ...
