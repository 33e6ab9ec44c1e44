"""The command `llmbench delete`: delete a run that is not active, with its answers, scores and log."""

import asyncio
import sys
from typing import Annotated

import typer

from llmbench_cli.rights import asks
from llmbench_cli.runs.options import Run, Url


@asks("runs:delete", "runs:read")
def delete(
    run: Run,
    *,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    url: Url = None,
) -> None:
    """Delete a run that is not active, with its answers, scores and log."""
    from llmbench_cli.client import Client, Json
    from llmbench_cli.console import terminal
    from llmbench_cli.errors import CommandFailed
    from llmbench_cli.running import platform_url
    from llmbench_cli.runs.names import run_id
    from llmbench_cli.safe_text import safe_line

    where = platform_url(url)

    async def find() -> Json:
        async with Client(where) as client:
            return await client.get(f"/api/runs/{await run_id(client, run)}")

    async def remove(id_: str) -> None:
        async with Client(where) as client:
            await client.delete(f"/api/runs/{id_}")

    found = asyncio.run(find())
    named = f"{safe_line(found['name'])} ({found['id']}, {found['counts']['items']} items)"
    if not yes:
        if not sys.stdin.isatty():
            raise CommandFailed(f"--yes is needed to delete {named} without being asked")
        typer.confirm(f"Delete {named}?", abort=True, err=True)
    asyncio.run(remove(found["id"]))
    terminal(stderr=True).print(f"deleted {named}", soft_wrap=True)
