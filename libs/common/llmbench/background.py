"""Work beside a service's HTTP side, and its end.

async with background(work, name="relay"):
    yield
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

_CANCEL_AGAIN_S = 0.1


@asynccontextmanager
async def background(work: Callable[[], Awaitable[None]], *, name: str) -> AsyncIterator["asyncio.Task[None]"]:
    """Run `work` for as long as the block; what it raises is whoever's who reads the task."""

    async def run() -> None:
        await work()

    task = asyncio.create_task(run(), name=name)
    try:
        yield task
    finally:
        await end(task)


async def end(task: "asyncio.Task[Any]") -> None:
    """Cancel until it is heard: Python 3.11's `asyncio.wait_for`, which nats-py uses for every request,
    drops a cancellation that comes together with the result (python/cpython#86296)."""
    while not task.done():
        task.cancel()
        await asyncio.wait({task}, timeout=_CANCEL_AGAIN_S)
    if not task.cancelled():
        # Looked at, so that nobody is told of an error "never retrieved" while ending.
        task.exception()
