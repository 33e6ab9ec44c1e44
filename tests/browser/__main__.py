"""Runs the browser tests of web/e2e against the real platform and the mock provider.

python -m tests.browser [arguments of playwright test …]
"""

import asyncio
import os
import sys

from llmbench_cli.embedded.binaries import checkout
from tests.platform import platform


async def main(arguments: list[str]) -> int:
    async with platform(tasks=0) as stack:
        process = await asyncio.create_subprocess_exec(
            "npm",
            "--prefix",
            str(checkout() / "web"),
            "run",
            "--silent",
            "e2e",
            "--",
            *arguments,
            env=os.environ | {"LLMBENCH_E2E_URL": stack.url, "LLMBENCH_E2E_PROVIDER_URL": stack.provider_url},
        )
        return await process.wait()


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1:])))
