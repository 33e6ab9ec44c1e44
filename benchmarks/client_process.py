"""Run clients of the platform in a separate process, so that they do not disturb the measuring process."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

READY = "ready"
"""The line that a program with clients prints when they are connected.

A line on stdin ends the program, which then prints its measurements as one line of JSON.
"""
_LINE_BYTES = 256 * 1024**2


class Clients:
    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def end(self, last: str = "") -> dict[str, Any]:
        """Send the line `last`, which ends the clients. Return the JSON object with their measurements."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{last}\n".encode())
        self._process.stdin.close()
        seen: dict[str, Any] = json.loads(await self._process.stdout.readline())
        return seen


@asynccontextmanager
async def connected(module: str, *arguments: str) -> AsyncIterator[Clients]:
    """Run `python -m module arguments`, and yield its clients once they are connected. The program ends with the block.

    Raises RuntimeError when the clients cannot connect.
    """
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
