"""Run `llmbench up` as a user does: in a separate process, with a new home folder or a used one."""

import asyncio
import os
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from llmbench_cli.embedded.home import Home
from llmbench_cli.embedded.ports import LOOPBACK, free_port
from tests.platform import Platform

_READY = "Ready"
_PATIENCE_S = 180.0


@dataclass(frozen=True)
class Up:
    """A running platform, and the seconds from the command to its ready message."""

    stack: Platform
    ready_s: float


@asynccontextmanager
async def up(home: Path, provider_url: str) -> AsyncIterator[Up]:
    """Run `llmbench up` with the folder `home`, and yield the platform once it reports that it is ready.

    At the end of the block the platform is shut down as by Ctrl-C. `provider_url` is the URL of a mock provider,
    which the caller has started. Raises RuntimeError if `llmbench up` ends early, and TimeoutError if it is not ready
    after 180 s.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LLMBENCH_")}
    port = free_port()
    began = time.perf_counter()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "llmbench_cli.main", "up", "--no-model"),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env={**kept, "LLMBENCH_HOME": str(home), "LLMBENCH_PORT": str(port), "COLUMNS": "300"},
    )
    try:
        await _until_ready(process)
        ready_s = time.perf_counter() - began
        runtime = Home(home).runtime()
        assert runtime is not None, "what runs is written down"
        url = f"http://{LOOPBACK}:{port}"
        async with (
            httpx.AsyncClient(base_url=url, timeout=90) as http,
            httpx.AsyncClient(base_url=provider_url, timeout=90) as provider_http,
        ):
            stack = Platform(
                url=url,
                provider_url=provider_url,
                database_url=runtime.database_url,
                nats_url=runtime.nats_url,
                services={},
                http=http,
                provider_http=provider_http,
                logs=home,
            )
            yield Up(stack, ready_s)
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGINT)
        await process.communicate()


async def _until_ready(process: asyncio.subprocess.Process) -> None:
    assert process.stdout is not None
    output = ""
    async with asyncio.timeout(_PATIENCE_S):
        while _READY not in output:
            line = (await process.stdout.readline()).decode()
            if not line:
                raise RuntimeError(f"llmbench up ended: {output[-2000:]}")
            output += line
