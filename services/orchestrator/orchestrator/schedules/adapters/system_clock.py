"""The clock of this machine."""

import asyncio
from datetime import UTC, datetime


class SystemClock:
    """Implement the port `Clock` with the clock of this machine."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    async def wait_until(self, moment: datetime) -> None:
        await asyncio.sleep(max(0.0, (moment - self.now()).total_seconds()))
