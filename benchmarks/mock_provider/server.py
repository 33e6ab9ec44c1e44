"""Run the mock provider as a separate process.

async with mock_provider() as url: ...
"""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).resolve().parents[2]
_START_TIMEOUT_S = 90.0
Start = Callable[..., Awaitable[asyncio.subprocess.Process]]


async def _interpreted(module: str, *arguments: str, **how: Any) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(sys.executable, "-m", module, *arguments, **how)


@contextlib.asynccontextmanager
async def mock_provider(
    *, host: str = "127.0.0.1", port: int = 0, ledger: Path | None = None, start: Start = _interpreted
) -> AsyncIterator[str]:
    """Start the mock provider, and yield its base URL once it listens. End the process at the end of the block.

    Port 0 is a free port; a fixed `port` keeps the URL after a restart. `ledger` is a file to which calls are appended.
    `start` starts a module as a process, with options of `asyncio.create_subprocess_exec`.
    Raises TimeoutError after 90 s, and AssertionError if the process ends before it listens.
    """
    arguments = ["--host", host, "--port", str(port)]
    if ledger is not None:
        arguments += ["--ledger", str(ledger)]
    process = await start("benchmarks.mock_provider", *arguments, cwd=_ROOT, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    try:
        line = await asyncio.wait_for(process.stdout.readline(), _START_TIMEOUT_S)
        assert line, "the mock provider ended before it listened"
        yield line.decode().strip()
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        try:
            await asyncio.wait_for(process.wait(), 3)
        except TimeoutError:
            process.kill()
            await process.wait()
