"""A signal for many waiters that can be sent repeatedly."""

import asyncio


class Pulse:
    """A signal for many waiters. The future that `next()` returns completes at the next `beat()`; all waiters share
    it."""

    def __init__(self) -> None:
        self._future: asyncio.Future[None] | None = None

    def next(self) -> "asyncio.Future[None]":
        if self._future is None:
            self._future = asyncio.get_running_loop().create_future()
        return self._future

    def beat(self) -> None:
        future, self._future = self._future, None
        if future is not None:
            future.set_result(None)
