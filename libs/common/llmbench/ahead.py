"""Reading ahead: the next chunk is on its way while the last one is worked on."""

import asyncio
from collections.abc import AsyncGenerator
from typing import TypeVar

from llmbench.background import end

T = TypeVar("T")


async def ahead(chunks: AsyncGenerator[T]) -> AsyncGenerator[T]:
    """The same chunks, none of which is None. One more than was asked for is held, or on its way; closes `chunks`."""
    coming = asyncio.ensure_future(anext(chunks, None))
    try:
        while (chunk := await coming) is not None:
            coming = asyncio.ensure_future(anext(chunks, None))
            yield chunk
    finally:
        await end(coming)
        await chunks.aclose()
