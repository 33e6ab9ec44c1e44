"""The command `llmbench export-tasks`: write tasks of the platform to a file that `llmbench import` reads."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from llmbench_cli.rights import asks

if TYPE_CHECKING:
    from llmbench_cli.client import Client

_BY_SUFFIX = {".csv": "csv", ".json": "json", ".jsonl": "jsonl", ".yaml": "yaml", ".yml": "yaml"}


@asks("collections:read", "tasks:read")
def export_tasks(
    file: Annotated[Path, typer.Argument(dir_okay=False, help="The file to write; `-` is the standard output.")],
    *,
    format_: Annotated[
        str | None, typer.Option("--format", help="csv, json, jsonl or yaml; by default the file's extension decides.")
    ] = None,
    collection: Annotated[str | None, typer.Option(help="Only the tasks of this collection, in its order.")] = None,
    url: Annotated[str | None, typer.Option(help="The platform's address; by default the one that runs here.")] = None,
) -> None:
    """Write all tasks, or those of a collection, into a file. An existing file is replaced."""
    from llmbench_cli.client import Client, with_client
    from llmbench_cli.runs.sink import sink

    query = {"format": format_ or _BY_SUFFIX.get(file.suffix.lower(), "jsonl")}

    async def write(client: Client) -> None:
        if collection:
            query["collection_id"] = await _collection_id(client, collection)
        async with client.stream("/api/tasks/export", **query) as chunks:
            with sink(file, force=True) as put:
                async for chunk in chunks:
                    put(chunk)

    with_client(url, write)


async def _collection_id(client: "Client", name: str) -> str:
    from llmbench_cli.errors import CommandFailed

    async for collection in client.every("/api/collections", q=name):
        if collection["name"] == name:
            return str(collection["id"])
    raise CommandFailed(f"there is no collection {name!r}")
