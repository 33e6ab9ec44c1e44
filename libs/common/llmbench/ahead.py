"""Prefetch the items of an asynchronous generator: fetch the next item while the current one is processed."""

import asyncio
from collections.abc import AsyncGenerator
from typing import TypeVar

from llmbench.background import end

T = TypeVar("T")


async def ahead(chunks: AsyncGenerator[T]) -> AsyncGenerator[T]:
    """Yield the items of `chunks`, and fetch the next item while the caller processes the current one.

    `chunks` must not yield `None`, which would end the iteration. Exceptions of `chunks` are raised here. `chunks` is
    closed when this generator ends or is closed.
    """
    next_chunk = asyncio.ensure_future(anext(chunks, None))
    try:
        while (chunk := await next_chunk) is not None:
            next_chunk = asyncio.ensure_future(anext(chunks, None))
            yield chunk
    finally:
        await end(next_chunk)
        await chunks.aclose()
