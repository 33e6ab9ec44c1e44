"""A pull subscription that does not spin while its consumer or stream is gone.

FastStream fetches again at once when a fetch fails, and a fetch from a consumer that no longer
exists fails within a millisecond. Whoever watches over the consumer makes it anew; until then
this waits between fetches that fail early.

    await subscriber.start()
    subscriber.subscription = PacedPull(subscriber.subscription)

Before handing messages back on the way out, `unsubscribe` it: a fetch still under way would have
them delivered to the very process that is stopping. FastStream's own call later does no harm.
"""

import asyncio
import time
from typing import Any

from nats.aio.msg import Msg

EARLY_S = 0.05
PAUSE_S = 0.5


class PacedPull:
    """Stands for `inner`, a `JetStreamContext.PullSubscription`, in all but the pace."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner
        self._subscribed = True

    async def fetch(self, batch: int = 1, timeout: float | None = 5) -> list[Msg]:
        began = time.monotonic()
        try:
            messages: list[Msg] = await self._inner.fetch(batch=batch, timeout=timeout)
        except Exception:
            if time.monotonic() - began < EARLY_S:
                await asyncio.sleep(PAUSE_S)
            raise
        return messages

    async def unsubscribe(self) -> None:
        if self._subscribed:
            self._subscribed = False
            await self._inner.unsubscribe()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)
