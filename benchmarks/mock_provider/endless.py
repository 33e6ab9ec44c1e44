"""Send answers that are too slow or too large to be read to the end."""

import asyncio
import contextlib

from aiohttp import web

_PAUSE_S = 0.2
_FLOOD_BYTES = 300 * 1024 * 1024
_PIECE = b'data: {"choices": [{"index": 0, "delta": {"content": "' + b"x" * 64_000 + b'"}}]}\n\n'


async def drip(response: web.StreamResponse) -> None:
    """Send a byte every 0.2 s, for hours or until the client disconnects."""
    for byte in b": wait" * 10_000:
        await response.write(bytes([byte]))
        await asyncio.sleep(_PAUSE_S)


async def flood(response: web.StreamResponse) -> None:
    """Send 300 MB as fast as the client reads, or until it disconnects."""
    with contextlib.suppress(ConnectionError):
        for _ in range(_FLOOD_BYTES // len(_PIECE)):
            await response.write(_PIECE)
