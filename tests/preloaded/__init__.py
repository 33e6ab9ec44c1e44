"""Start Python programs for tests from preloaded processes: the start costs a fork instead of a second of imports.

For each program, a fork server (`fork_server.py`) has imported what the program imports. `start` asks the server for a
child, which becomes the program as `python -m` starts it: a process of its own, with its own environment, folder and
output.

The servers exist only within pytest, between `open_servers` and `close_servers`. Elsewhere, for other programs and on
other systems than Linux, `start` starts a new interpreter.
"""

import asyncio
import sys
from typing import Any

from tests.preloaded.client import Servers
from tests.preloaded.programs import PRELOAD

_servers = Servers({})


def open_servers() -> None:
    """Make later calls of `start` use fork servers, on Linux. Each server starts when it is first used."""
    global _servers
    if sys.platform == "linux":
        _servers = Servers(PRELOAD)


def close_servers() -> None:
    """End all fork servers and the processes that they started."""
    global _servers
    _servers.close()
    _servers = Servers({})


async def start(module: str, *arguments: str, **how: Any) -> asyncio.subprocess.Process:
    """Start `python -m module arguments…`, with the options of `Servers.start`."""
    return await _servers.start(module, *arguments, **how)
