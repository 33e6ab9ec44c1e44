"""Define `Pulse`, a repeatable signal that wakes many waiting tasks."""

import asyncio


class Pulse:
    """A repeatable signal for many waiting tasks. `next()` returns a future, which the next call of `beat()`
    completes."""

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
