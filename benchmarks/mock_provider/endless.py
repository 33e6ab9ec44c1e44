"""Answers without a sensible end: too slow, or too much."""

import asyncio
import contextlib

from aiohttp import web

_PAUSE_S = 0.2
_FLOOD_BYTES = 300 * 1024 * 1024
_PIECE = b'data: {"choices": [{"index": 0, "delta": {"content": "' + b"x" * 64_000 + b'"}}]}\n\n'


async def drip(response: web.StreamResponse) -> None:
    """A byte at a time, until the caller goes away."""
    for byte in b": wait" * 10_000:
        await response.write(bytes([byte]))
        await asyncio.sleep(_PAUSE_S)


async def flood(response: web.StreamResponse) -> None:
    """300 MB, one piece after another as the caller takes them."""
    with contextlib.suppress(ConnectionError):
        for _ in range(_FLOOD_BYTES // len(_PIECE)):
            await response.write(_PIECE)
