"""Find the suite's version and the models for the body of a request that runs a suite."""

import typer

from llmbench_cli.client import Client, Json
from llmbench_cli.errors import CommandFailed


def model_of(text: str) -> Json:
    """Return the model that `PROVIDER:MODEL` names. Names of models may contain further colons. Raises
    `typer.BadParameter` for another form of text.

    >>> model_of("Ollama:llama3.2:3b")
    {'provider': 'Ollama', 'name': 'llama3.2:3b'}
    """
    provider, colon, name = text.partition(":")
    if not (provider and colon and name):
        raise typer.BadParameter(f"{text!r} is no model: write PROVIDER:MODEL, as in Ollama:llama3.2")
    return {"provider": provider, "name": name}


async def suite_version(client: Client, name: str, version: int | None, *, published: bool = False) -> Json:
    """Return a version of the suite with this name, by default the newest, or with `published` the newest published
    one. Raises `CommandFailed` if there is none."""
    chosen = {"status": "PUBLISHED"} if published else {}
    async for entry in client.every("/api/suites", q=name, **chosen):
        if entry["name"] != name:
            continue
        if version is None or entry["version_number"] == version:
            return entry
        versions = (await client.get(f"/api/suites/{entry['id']}/versions"))["items"]
        for each in versions:
            if each["version_number"] == version:
                found: Json = each
                return found
        raise CommandFailed(f"the suite {name!r} has no version {version}; the newest is {entry['version_number']}")
    what = "published suite" if published else "suite"
    raise CommandFailed(f"there is no {what} {name!r}; `llmbench suites list` lists them")
