"""The commands `llmbench prompt …`: manage prompts and their versions through `/api/prompts`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from llmbench_cli.rights import asks
from llmbench_cli.runs.options import AsJson, Url

if TYPE_CHECKING:
    from llmbench_cli.client import Client, Json

PATH = "/api/prompts"
_LARGEST_BYTES = 400_000

prompt = typer.Typer(help="Prompts: templates with versions, for the messages of a run.", no_args_is_help=True)
Name = Annotated[str, typer.Argument(help="The prompt's name.")]
Version = Annotated[
    int | None,
    typer.Option("--version", min=1, help="The version's number; by default the newest.", show_default=False),
]


@prompt.command("list")
@asks("prompts:read")
def list_prompts(*, as_json: AsJson = False, url: Url = None) -> None:
    """List prompts by name."""
    from llmbench_cli.client import Json, with_client
    from llmbench_cli.console import terminal
    from llmbench_cli.resources import print_json
    from llmbench_cli.runs.result_tables import plain_table
    from llmbench_cli.safe_text import safe_json

    async def read(client: "Client") -> list[Json]:
        return [entry async for entry in client.every(PATH)]

    found = with_client(url, read)
    if as_json:
        print_json(found)
    elif not found:
        terminal(stderr=True).print("no prompts yet: `llmbench prompt create NAME --user FILE` makes one")
    else:
        shown = plain_table("")
        shown.add_column("prompt", overflow="fold", min_width=12)
        shown.add_column("version", justify="right", no_wrap=True)
        shown.add_column("variables", overflow="fold")
        shown.add_column("description", overflow="fold")
        for entry in safe_json(found):
            newest = entry["newest"]
            names = ", ".join(variable["name"] for variable in newest["variables"])
            shown.add_row(entry["name"], str(newest["number"]), names, entry["description"] or "")
        terminal().print(shown)


@prompt.command("show")
@asks("prompts:read")
def show_prompt(name: Name, *, version: Version = None, as_json: AsJson = False, url: Url = None) -> None:
    """Show a version of a prompt: its templates and variables."""
    from llmbench_cli.client import with_client
    from llmbench_cli.resources import show_response
    from llmbench_cli.runs.names import prompt_version

    found = with_client(url, lambda client: prompt_version(client, name, version))
    show_response(found, f"{name} v{found['number']}  {found['content_hash']}\n\n{_text(found)}", as_json=as_json)


@prompt.command("create")
@asks("prompts:create", "prompts:read")
def create_version(
    name: Name,
    *,
    user: Annotated[
        Path, typer.Option(exists=True, dir_okay=False, readable=True, help="The user message, as a file.")
    ],
    system: Annotated[
        Path | None, typer.Option(exists=True, dir_okay=False, readable=True, help="The system message, as a file.")
    ] = None,
    variables: Annotated[
        Path | None, typer.Option(exists=True, dir_okay=False, readable=True, help="Types and defaults, as YAML.")
    ] = None,
    description: Annotated[str | None, typer.Option(help="What a new prompt is for.")] = None,
    notes: Annotated[str | None, typer.Option(help="What this version changes.")] = None,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """Create a prompt, or a new version if the prompt exists. Nothing changes if the newest version has the same
    content."""
    from llmbench_cli.client import with_client
    from llmbench_cli.resources import show_response
    from llmbench_cli.suite_file import read_yaml_file

    body: dict[str, Any] = {"user_template": _read(user), "notes": notes}
    if system is not None:
        body["system_template"] = _read(system)
    if variables is not None:
        body["variables"] = read_yaml_file(variables, "a list of variables")[0]
    made, line = with_client(url, lambda client: _create(client, name, body, description))
    show_response(made, line, as_json=as_json)


@prompt.command("diff")
@asks("prompts:read")
def diff_versions(
    name: Name,
    before: Annotated[int, typer.Argument(min=1, help="The number of a version.")],
    after: Annotated[int | None, typer.Argument(min=1, help="By default the newest version.")] = None,
    *,
    url: Url = None,
) -> None:
    """Compare two versions of a prompt line by line."""
    from difflib import unified_diff

    from llmbench_cli.client import with_client
    from llmbench_cli.resources import say
    from llmbench_cli.runs.names import prompt_version

    async def read(client: "Client") -> "tuple[Json, Json]":
        return await prompt_version(client, name, before), await prompt_version(client, name, after)

    old, new = with_client(url, read)
    titles = (f"{name} v{old['number']}", f"{name} v{new['number']}")
    for line in unified_diff(_text(old).splitlines(), _text(new).splitlines(), *titles, lineterm=""):
        say(line)


@prompt.command("preview")
@asks("prompts:read", "collections:read", "datasets:read")
def preview_prompt(
    name: Name,
    *,
    collection: Annotated[str | None, typer.Option(help="The cases of this collection.")] = None,
    dataset: Annotated[str | None, typer.Option(help="The cases of this dataset's newest version.")] = None,
    version: Version = None,
    limit: Annotated[int, typer.Option(min=1, max=20, help="Cases to render.")] = 5,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """Render a version of a prompt with the first cases of a collection or dataset. Exit with 1 if a case cannot be
    rendered."""
    from llmbench_cli.client import with_client
    from llmbench_cli.exit_codes import ExitCode
    from llmbench_cli.resources import print_json, say

    if (collection is None) == (dataset is None):
        raise typer.BadParameter("name a --collection or a --dataset")
    rendered = with_client(url, lambda client: _preview(client, name, version, collection, dataset, limit))
    if as_json:
        print_json(rendered)
    for case in [] if as_json else rendered["cases"]:
        say(f"── {case['task_id']}")
        for role in ("system", "user", "error"):
            if case[role] is not None:
                say(f"{role}: {case[role]}")
    if any(case["error"] for case in rendered["cases"]):
        raise typer.Exit(ExitCode.FAILED)


@prompt.command("delete")
@asks("prompts:delete", "prompts:read")
def delete_prompt(name: Name, *, url: Url = None) -> None:
    """Delete a prompt with all its versions. Runs keep their copies."""
    from llmbench_cli.client import with_client
    from llmbench_cli.runs.names import prompt as prompt_of

    async def delete(client: "Client") -> None:
        await client.delete(f"{PATH}/{(await prompt_of(client, name))['id']}")

    with_client(url, delete)


async def _create(client: "Client", name: str, body: "Json", description: str | None) -> "tuple[Json, str]":
    from llmbench_cli.errors import Refused

    found = (await client.get(PATH, name=name))["items"]
    if not found:
        made = await client.post(PATH, {**body, "name": name, "description": description})
        return made, f"✓ Prompt '{name}' v1"
    # The server compares contents, and knows the variables that a template implies.
    try:
        made = await client.post(f"{PATH}/{found[0]['id']}/versions", body)
    except Refused as refused:
        if refused.status != 409:  # "Nothing changed"
            raise
        return found[0]["newest"], f"✓ Prompt '{name}' v{found[0]['newest']['number']}, unchanged"
    return made, f"✓ Prompt '{name}' v{made['number']}"


async def _preview(
    client: "Client", name: str, version: int | None, collection: str | None, dataset: str | None, limit: int
) -> "Json":
    from llmbench_cli.errors import CommandFailed
    from llmbench_cli.resources import version_path
    from llmbench_cli.runs.names import Named, prompt_version

    found = await prompt_version(client, name, version)
    body = {part: found[part] for part in ("system_template", "user_template", "variables")} | {"limit": limit}
    if dataset is not None:
        body["dataset_version_id"] = (await client.get(await version_path(client, dataset, None)))["version_id"]
    else:
        collections = await Named.read(client, "/api/collections", "collection")
        if (id_ := collections.id(str(collection))) is None:
            raise CommandFailed(collections.lacking(str(collection)))
        body["collection_id"] = id_
    return await client.post(f"{PATH}/preview", body)


def _read(file: Path) -> str:
    from llmbench_cli.errors import CommandFailed

    if file.stat().st_size > _LARGEST_BYTES:
        raise CommandFailed(f"{file} is larger than a template can be")
    try:
        return file.read_text("utf-8")
    except (UnicodeDecodeError, OSError) as failed:
        raise CommandFailed(f"{file} cannot be read as text: {failed}") from failed


def _text(version: "Json") -> str:
    """Return the content of a prompt's version as lines, for people and for comparisons."""
    parts = [("system", version["system_template"]), ("user", version["user_template"])]
    lines = [f"[{role}]\n{text}" for role, text in parts if text is not None]
    if version["variables"]:
        lines.append("[variables]\n" + "\n".join(_variable(one) for one in version["variables"]))
    return "\n".join(lines)


def _variable(variable: dict[str, Any]) -> str:
    import json

    default, required = variable["default"], variable["required"]
    value = f"default {json.dumps(default, ensure_ascii=False)}" if default is not None else "required"
    parts = [variable["type"], value if default is not None or required else "optional", variable["description"]]
    return f"{variable['name']}: {', '.join(part for part in parts if part)}"
