"""Run the browser tests of web/e2e against the real platform and the mock provider.

python -m tests.browser [arguments of playwright test …]
"""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web

from llmbench_cli.embedded.binaries import checkout
from llmbench_cli.embedded.ports import LOOPBACK, free_port
from tests.platform import Platform, platform


async def empty(_database_url: str, _provider_url: str) -> None:
    """Add no data, so that the installation stays as it is after its first start."""


@asynccontextmanager
async def control_of(stack: Platform) -> AsyncIterator[str]:
    """Yield the URL by which browser tests kill and restart services: `POST /<service>/kill` and `/<service>/start`."""

    async def act(request: web.Request) -> web.Response:
        service = stack.services[request.match_info["service"]]
        await (service.kill() if request.match_info["action"] == "kill" else service.start())
        return web.Response(status=204)

    app = web.Application()
    app.add_routes([web.post("/{service}/{action:kill|start}", act)])
    runner = web.AppRunner(app)
    await runner.setup()
    port = free_port()
    await web.TCPSite(runner, LOOPBACK, port).start()
    try:
        yield f"http://{LOOPBACK}:{port}"
    finally:
        await runner.cleanup()


async def main(arguments: list[str]) -> int:
    async with platform(prepare=empty) as stack, control_of(stack) as control_url:
        process = await asyncio.create_subprocess_exec(
            "npm",
            "--prefix",
            str(checkout() / "web"),
            "run",
            "--silent",
            "e2e",
            "--",
            *arguments,
            env=os.environ
            | {
                "LLMBENCH_E2E_URL": stack.url,
                "LLMBENCH_E2E_PROVIDER_URL": stack.provider_url,
                "LLMBENCH_E2E_CONTROL_URL": control_url,
            },
        )
        return await process.wait()


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1:])))
