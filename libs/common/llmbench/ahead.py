"""Prefetch chunks: the next chunk is fetched while the last one is processed."""

import asyncio
from collections.abc import AsyncGenerator
from typing import TypeVar

from llmbench.background import end

T = TypeVar("T")


async def ahead(chunks: AsyncGenerator[T]) -> AsyncGenerator[T]:
    """Yield the chunks of `chunks`, always fetching one in advance. Chunks must not be `None`. Closes `chunks` at the
    end."""
    coming = asyncio.ensure_future(anext(chunks, None))
    try:
        while (chunk := await coming) is not None:
            coming = asyncio.ensure_future(anext(chunks, None))
            yield chunk
    finally:
        await end(coming)
        await chunks.aclose()
