"""Readiness over HTTP, asked only while something starts."""

import asyncio

from llmbench_cli.embedded.ports import LOOPBACK

_PAUSE_S = 0.05
_ANSWER_S = 5.0


async def answers(port: int, path: str) -> None:
    """Return once GET `path` answers 200.

    Spoken by hand: an HTTP client library would cost more memory in the supervisor, which lives as
    long as the stack, than everything else in it.
    """
    while True:
        if await _status(port, path) == 200:
            return
        await asyncio.sleep(_PAUSE_S)


async def _status(port: int, path: str) -> int | None:
    try:
        async with asyncio.timeout(_ANSWER_S):
            reader, writer = await asyncio.open_connection(LOOPBACK, port)
            try:
                writer.write(f"GET {path} HTTP/1.1\r\nHost: {LOOPBACK}:{port}\r\nConnection: close\r\n\r\n".encode())
                words = (await reader.readline()).split()
            finally:
                writer.close()
    except (OSError, TimeoutError):
        return None
    return int(words[1]) if len(words) > 1 and words[1].isdigit() else None
