"""Start the mock provider: `python -m benchmarks.mock_provider [--host HOST] [--port N] [--ledger FILE]`.

It prints its URL once it listens, and runs until SIGTERM or SIGINT.
"""

import argparse
import asyncio
import contextlib
import signal
from pathlib import Path

import uvloop
from aiohttp import web

from benchmarks.mock_provider.app import make_app
from benchmarks.mock_provider.ledger import Ledger


async def _serve(host: str, port: int, ledger_file: Path | None) -> None:
    runner = web.AppRunner(make_app(Ledger.writing_to(ledger_file)), access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, host, port, backlog=1024)
    await site.start()
    bound = runner.addresses[0][1]
    print(f"http://{host}:{bound}", flush=True)  # noqa: T201  # the parent process waits for this line
    stop = asyncio.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(name, stop.set)
    await stop.wait()
    await runner.cleanup()


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.mock_provider", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0, help="0 (the default) takes a free one")
    parser.add_argument("--ledger", type=Path, help="append every finished call to this file, as JSON lines")
    arguments = parser.parse_args()
    with contextlib.suppress(KeyboardInterrupt):
        uvloop.run(_serve(arguments.host, arguments.port, arguments.ledger))


if __name__ == "__main__":
    main()
