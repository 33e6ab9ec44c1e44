"""Register the built-in model as a provider of the platform.

    python -m llmbench_cli.demo.provider --url http://127.0.0.1:8400 --model-url http://127.0.0.1:8401/v1

`llmbench up` runs this module in a separate process: its imports would otherwise stay in the supervisor's memory.
"""

import argparse
import asyncio
import sys

from llmbench_cli.client import Client
from llmbench_cli.errors import CommandFailed

PROVIDER = "Built-in SmolLM2"


async def register(client: Client, model_url: str) -> str:
    """Create the provider of the built-in model, or update its URL if that has changed. Return the provider's id."""
    return await move(client, model_url) or str((await client.post("/api/providers", _provider(model_url)))["id"])


async def move(client: Client, model_url: str) -> str | None:
    """Update the URL of the built-in model's provider if it has changed, and return the provider's id. Return None if
    this provider is not registered."""
    async for found in client.every("/api/providers", q=PROVIDER):
        if found["name"] == PROVIDER:
            if found["base_url"] != model_url:
                await client.put(f"/api/providers/{found['id']}", _provider(model_url))
            return str(found["id"])
    return None


def _provider(model_url: str) -> dict[str, str]:
    return {"name": PROVIDER, "type": "CUSTOM_OPEN_AI_COMPATIBLE", "base_url": model_url}


async def _run(url: str, model_url: str, *, only_move: bool) -> None:
    async with Client(url) as client:
        await (move if only_move else register)(client, model_url)


def main() -> None:
    """Read the command line, and register the model or, with --only-move, update only the URL of a registered one. An
    error is printed as one line, with exit code 1."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", required=True)
    parser.add_argument("--model-url", required=True)
    parser.add_argument("--only-move", action="store_true")
    given = parser.parse_args()
    try:
        asyncio.run(_run(given.url, given.model_url, only_move=given.only_move))
    except CommandFailed as failed:
        sys.exit(str(failed))


if __name__ == "__main__":
    main()
