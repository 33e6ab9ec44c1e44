"""Prefetch the chunks of an asynchronous generator: fetch the next chunk while the current one is processed."""

import asyncio
from collections.abc import AsyncGenerator
from typing import TypeVar

from llmbench.background import end

T = TypeVar("T")


async def ahead(chunks: AsyncGenerator[T]) -> AsyncGenerator[T]:
    """Yield the chunks of `chunks`, and fetch each next one in advance. A chunk must not be `None`.

    Closes `chunks` when it is exhausted or the caller stops early.
    """
    coming = asyncio.ensure_future(anext(chunks, None))
    try:
        while (chunk := await coming) is not None:
            coming = asyncio.ensure_future(anext(chunks, None))
            yield chunk
    finally:
        await end(coming)
        await chunks.aclose()
