"""Run the browser tests of web/e2e against the real platform and the mock provider.

python -m tests.browser [arguments of playwright test …]

The Playwright project `sign-in` has a platform of its own, with LLMBENCH_AUTH=on. Without `--project`, it runs after
the other projects.
"""

import argparse
import asyncio
import json
import os
import re
import shutil
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

from aiohttp import web

from llmbench_cli.embedded.binaries import checkout
from llmbench_cli.embedded.ports import LOOPBACK, free_port
from tests.browser.verdict import FOLDER, report_of
from tests.platform import Platform, platform

SIGN_IN: Final = "sign-in"
OPEN: Final = ("fresh", "flows")
"""The projects of web/playwright.config.ts that run without sign-in."""
COMMAND: Final = (sys.executable, "-m", "llmbench_cli.main")


async def empty(_database_url: str, _provider_url: str) -> None:
    """Prepare a platform without adding data, so that it is in the state after its first start."""


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


async def main(arguments: Sequence[str]) -> int:
    """Run the Playwright projects that the option `--project` names, or all projects. Return the highest exit code of
    their runs."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--project", action="append", default=[])
    options, others = parser.parse_known_args(arguments)
    named = options.project or [*OPEN, SIGN_IN]
    if not options.project:
        # A named file belongs to one of the two kinds of platforms.
        others.append("--pass-with-no-tests")
    shutil.rmtree(FOLDER, ignore_errors=True)
    codes = [0]
    if without := [project for project in named if project != SIGN_IN]:
        async with platform(prepare=empty) as stack:
            codes.append(await playwright(stack, without, others))
    if SIGN_IN in named:
        async with platform(tasks=0, auth="on") as stack:
            codes.append(await playwright(stack, [SIGN_IN], others, {"LLMBENCH_E2E_FIRST_OWNER": owner_link(stack)}))
    return max(codes)


def owner_link(stack: Platform) -> str:
    """Return the link for the first owner, which the identity service has logged."""
    links = re.findall(r"http://\S+/first-owner#[\w-]+", (stack.logs / "identity.log").read_text())
    return str(links[-1])


async def playwright(
    stack: Platform, projects: Sequence[str], arguments: Sequence[str], more: dict[str, str] | None = None
) -> int:
    async with control_of(stack) as control_url:
        process = await asyncio.create_subprocess_exec(
            *("npm", "--prefix", str(checkout() / "web"), "run", "--silent", "e2e", "--"),
            *(f"--project={project}" for project in projects),
            *arguments,
            env=os.environ
            | {
                "LLMBENCH_E2E_URL": stack.url,
                "LLMBENCH_E2E_PROVIDER_URL": stack.provider_url,
                "LLMBENCH_E2E_CONTROL_URL": control_url,
                "LLMBENCH_E2E_COMMAND": json.dumps(COMMAND),
                "LLMBENCH_E2E_REPORT": str(report_of("-".join(projects))),
            }
            | (more or {}),
        )
        return await process.wait()


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1:])))
