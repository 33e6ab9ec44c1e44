"""Run background tasks that are cancelled at the end of an `async with` block.

async with background(work, name="relay"):
    yield
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

_CANCEL_AGAIN_S = 0.1


@asynccontextmanager
async def background(work: Callable[[], Awaitable[object]], *, name: str) -> AsyncIterator["asyncio.Task[None]"]:
    """Run `work` in a task with this name, yield the task, and cancel it at the end of the block.

    An exception of `work` does not end the block and is not raised here. The caller may read it from the task.
    """

    async def run() -> None:
        await work()

    task = asyncio.create_task(run(), name=name)
    try:
        yield task
    finally:
        await end(task)


async def side_by_side(**works: Callable[[], Awaitable[object]]) -> None:
    """Run all functions in `works` concurrently, each in a task named by its keyword.

    Return when the first task ends, and cancel the others. Raises the exception of the task that ended, if it failed.
    """
    async with AsyncExitStack() as stack:
        tasks = [await stack.enter_async_context(background(work, name=name)) for name, work in works.items()]
        ended, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in ended:
            task.result()


async def end(task: "asyncio.Task[Any]") -> None:
    """Cancel the task, and repeat this every 0.1 s until it ends. An exception of the task is dropped.

    One cancellation may not suffice: Python 3.11's `asyncio.wait_for`, which nats-py uses for every request, drops a
    cancellation that arrives together with the result (python/cpython#86296).
    """
    while not task.done():
        task.cancel()
        await asyncio.wait({task}, timeout=_CANCEL_AGAIN_S)
    if not task.cancelled():
        # Retrieve the exception so that asyncio does not log it as "never retrieved".
        task.exception()
