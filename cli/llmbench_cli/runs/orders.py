"""Send a command to a run, such as pause, and print the run's state."""

import asyncio

from llmbench_cli.client import Client, Json
from llmbench_cli.console import terminal
from llmbench_cli.running import platform_url
from llmbench_cli.runs.names import run_id
from llmbench_cli.runs.words import turn
from llmbench_cli.safe_text import safe_line


def order(url: str | None, run: str, what: str, body: Json | None = None) -> None:
    """Send the command `what`, such as `pause`, to a run, with an optional request body. Print the run's state. Raises
    CommandFailed if there is no such run, or if the request fails."""

    async def send() -> Json:
        async with Client(platform_url(url)) as client:
            return await client.post(f"/api/runs/{await run_id(client, run)}/{what}", body)

    response = asyncio.run(send())
    state = turn(response["queue"]) if response.get("queue") else response["status"].lower()
    terminal().print(f"{safe_line(response['name'])}: {state}", soft_wrap=True)
