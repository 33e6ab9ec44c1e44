"""Clients in a process of their own, so that what they do is not counted with what they measure."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

READY = "ready"
"""What such a program says when its clients are connected. It ends with a line on stdin, and says what they saw as one
line of JSON."""
_LINE_BYTES = 256 * 1024**2


class Clients:
    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def end(self, last: str = "") -> dict[str, Any]:
        """What they saw; `last` is the last thing that they are told."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{last}\n".encode())
        self._process.stdin.close()
        seen: dict[str, Any] = json.loads(await self._process.stdout.readline())
        return seen


@asynccontextmanager
async def connected(module: str, *arguments: str) -> AsyncIterator[Clients]:
    """Clients that are connected. Raises RuntimeError when they cannot connect."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", module, *arguments),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=_LINE_BYTES,
    )
    assert process.stdout is not None
    try:
        line = (await process.stdout.readline()).decode().strip()
        if line != READY:
            raise RuntimeError(f"the clients did not connect: {line!r}")
        yield Clients(process)
    finally:
        if process.stdin is not None:
            process.stdin.close()
        await process.wait()
