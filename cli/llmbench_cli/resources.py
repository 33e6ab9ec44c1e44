"""Shared helpers of the commands about datasets and documents: look-up by name, output, failure."""

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from llmbench_cli.exit_codes import ExitCode

if TYPE_CHECKING:
    from llmbench_cli.client import Client

_ID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


def is_id(text: str) -> bool:
    """Return whether the text is an id of a resource, not a name."""
    return _ID.fullmatch(text) is not None


async def dataset_path(client: "Client", dataset: str) -> str:
    """Return the path of the dataset with this id or name. End the command if no dataset has the name; an id is not
    checked."""
    if (path := await _find_dataset(client, dataset)) is None:
        fail(f"there is no dataset {dataset!r}; `llmbench datasets list` lists them")
    return path


@asynccontextmanager
async def made_dataset(client: "Client", name: str) -> AsyncIterator[str]:
    """Yield the URL path of the dataset with this id or name. If no dataset has the name, create one.

    If the block fails, a dataset that was created here is deleted again, unless it has a version by then. It is not
    checked that an id exists.
    """
    if (path := await _find_dataset(client, name)) is not None:
        yield path
        return
    path = f"/v1/datasets/{(await client.post('/v1/datasets', {'name': name}))['dataset_id']}"
    try:
        yield path
    except BaseException:
        if (await client.get(path))["latest_version"] is None:
            await client.delete(path)
        raise


async def _find_dataset(client: "Client", dataset: str) -> str | None:
    """Return the path of the dataset with this id or name, or None if no dataset has the name. An id is not checked."""
    if _ID.fullmatch(dataset):
        return f"/v1/datasets/{dataset}"
    page = await client.get("/v1/datasets", name=dataset)
    return f"/v1/datasets/{page['datasets'][0]['dataset_id']}" if page["datasets"] else None


async def version_path(client: "Client", dataset: str, version: int | None) -> str:
    """Return the path of the version with this number, or of the newest version if `version` is None. End the command
    if the dataset has no version or does not exist; a number is not checked."""
    path = await dataset_path(client, dataset)
    if version is None:
        version = (await client.get(path))["latest_version"]
        if version is None:
            fail(f"the dataset {dataset!r} has no version yet")
    return f"{path}/versions/{version}"


async def document_path(client: "Client", document: str) -> str:
    """Return the path of the document with this id or name. End the command if no document has the name; an id is not
    checked."""
    if _ID.fullmatch(document):
        return f"/v1/documents/{document}"
    page = await client.get("/v1/documents", name=document)
    if not page["documents"]:
        fail(f"there is no document {document!r}; `llmbench documents list` lists them")
    return f"/v1/documents/{page['documents'][0]['document_id']}"


def show_response(response: dict[str, Any], line: str, *, as_json: bool) -> None:
    """Print the response as one line of JSON, or without `as_json` the sentence `line` for people."""
    if as_json:
        print_json(response)
    else:
        say(line)


def print_json(response: Any) -> None:
    """Print the response as one line of JSON."""
    print(json.dumps(response, ensure_ascii=False))


def say(line: str) -> None:
    """Print a line for people, without characters that a terminal would interpret."""
    from llmbench_cli.safe_text import safe

    print(safe(line))


def fail(why: str) -> NoReturn:
    """Print the reason on stderr, and end the command with exit code 1."""
    from llmbench_cli.safe_text import safe

    typer.echo(f"llmbench: {safe(why)}", err=True)
    raise typer.Exit(ExitCode.FAILED)
