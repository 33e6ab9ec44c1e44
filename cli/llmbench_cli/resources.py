"""What commands about datasets and documents have in common: asking, finding by name, saying what came of it."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

import typer

if TYPE_CHECKING:
    import httpx

_ID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


@contextmanager
def asking(url: str | None) -> "Iterator[httpx.Client]":
    """A client of the platform; what it cannot answer ends the command with one line and exit code 1."""
    from llmbench_cli.platform_api import Unanswered, platform_api

    try:
        with platform_api(url) as api:
            yield api
    except Unanswered as failed:
        fail(str(failed))


def dataset_path(api: "httpx.Client", dataset: str) -> str:
    """Of the dataset of that id or name."""
    if (path := _found(api, dataset)) is None:
        fail(f"there is no dataset {dataset!r}; `llmbench datasets list` shows those there are")
    return path


@contextmanager
def made_dataset(api: "httpx.Client", name: str) -> Iterator[str]:
    """Its path. Where there is none of that id or name it is made, and goes again when no version comes of it."""
    if (path := _found(api, name)) is not None:
        yield path
        return
    path = f"/v1/datasets/{said_by(api.post('/v1/datasets', json={'name': name}))['dataset_id']}"
    try:
        yield path
    except BaseException:
        if said_by(api.get(path))["latest_version"] is None:
            said_by(api.delete(path))
        raise


def _found(api: "httpx.Client", dataset: str) -> str | None:
    """Its path; `None` where no dataset is called so."""
    if _ID.fullmatch(dataset):
        return f"/v1/datasets/{dataset}"
    found = said_by(api.get("/v1/datasets", params={"name": dataset}))["datasets"]
    return f"/v1/datasets/{found[0]['dataset_id']}" if found else None


def version_path(api: "httpx.Client", dataset: str, version: int | None) -> str:
    """Of the version of that number, else of the newest."""
    path = dataset_path(api, dataset)
    if version is None:
        version = said_by(api.get(path))["latest_version"]
        if version is None:
            fail(f"the dataset {dataset!r} has no version yet")
    return f"{path}/versions/{version}"


def document_path(api: "httpx.Client", document: str) -> str:
    """Of the document of that id or name."""
    if _ID.fullmatch(document):
        return f"/v1/documents/{document}"
    found = said_by(api.get("/v1/documents", params={"name": document}))["documents"]
    if not found:
        fail(f"there is no document {document!r}; `llmbench documents list` shows those there are")
    return f"/v1/documents/{found[0]['document_id']}"


def said_by(answer: "httpx.Response") -> Any:
    """Return the document of a success, `None` where it has none. Raise `Unanswered` with the detail of a refusal."""
    from llmbench_cli.platform_api import Unanswered, problem_of

    if answer.is_error:
        raise Unanswered(str(problem_of(answer)["detail"]))
    return answer.json() if answer.content else None


def tell(said: dict[str, Any], line: str, *, as_json: bool) -> None:
    """The answer as JSON, or a line about it."""
    if as_json:
        print_json(said)
    else:
        say(line)


def print_json(said: Any) -> None:
    """One line for a program."""
    print(json.dumps(said, ensure_ascii=False))


def say(line: str) -> None:
    """One line for a person."""
    from llmbench_cli.safe_text import safe

    print(safe(line))


def fail(why: str) -> NoReturn:
    """End the command with exit code 1."""
    from llmbench_cli.safe_text import safe

    typer.echo(f"llmbench: {safe(why)}", err=True)
    raise typer.Exit(1)
