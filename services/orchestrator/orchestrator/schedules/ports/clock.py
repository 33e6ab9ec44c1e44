"""The port to the clock of schedules, which tests can replace by a clock that they set."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    def now(self) -> datetime:
        """Return the present time, with a time zone."""
        ...

    async def wait_until(self, moment: datetime) -> None:
        """Wait until the clock shows about `moment`. Setting the clock meanwhile does not change the length of the
        wait."""
        ...
