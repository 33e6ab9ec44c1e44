"""The commands `llmbench presets …`: manage named settings of runs through `/api/evaluation-presets`."""

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from llmbench_cli.rights import asks
from llmbench_cli.runs.options import AsJson, Url

if TYPE_CHECKING:
    from rich.table import Table

PATH = "/api/evaluation-presets"
_LARGEST_BYTES = 1024 * 1024

presets = typer.Typer(help="Settings of runs, by name: `llmbench run --preset`.", no_args_is_help=True)
Name = Annotated[str, typer.Argument(help="The preset's name.")]


@presets.command("list")
@asks("presets:read")
def list_presets(*, as_json: AsJson = False, url: Url = None) -> None:
    """List presets by name."""
    from llmbench_cli.client import Client, Json
    from llmbench_cli.console import terminal
    from llmbench_cli.running import platform_url
    from llmbench_cli.runs.output import print_json
    from llmbench_cli.safe_text import safe_json

    async def read() -> list[Json]:
        async with Client(platform_url(url)) as client:
            return [entry async for entry in client.every(PATH)]

    found = asyncio.run(read())
    if as_json:
        print_json(found)
    elif found:
        terminal().print(_table(safe_json(found)))
    else:
        terminal(stderr=True).print("no presets yet: `llmbench presets create NAME` makes one")


@presets.command("create")
@asks("presets:create")
def create_preset(  # noqa: PLR0913  # one parameter per option
    name: Name,
    *,
    max_concurrent_calls: Annotated[int, typer.Option(min=1, max=50, help="Calls at a time to each model.")] = 10,
    timeout_seconds: Annotated[float, typer.Option(min=10, max=300, help="The time limit of a call.")] = 60,
    max_retries: Annotated[int, typer.Option(min=0, max=10, help="Retries after the first attempt.")] = 3,
    max_conversation_history: Annotated[
        int, typer.Option(min=1, max=50, help="How many earlier turns of a conversation a call contains.")
    ] = 10,
    parallel_groups: Annotated[
        int, typer.Option(min=1, max=16, help="How many models of different hosted providers run side by side.")
    ] = 1,
    description: Annotated[str | None, typer.Option(help="What it is for.")] = None,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """Create a preset."""
    settings = {
        "max_concurrent_calls": max_concurrent_calls,
        "timeout_seconds": timeout_seconds,
        "max_retries": max_retries,
        "max_conversation_history": max_conversation_history,
        "parallel_groups": parallel_groups,
    }
    _post(PATH, {"name": name, "description": description, "settings": settings}, as_json=as_json, url=url)


@presets.command("import")
@asks("providers:create")
def import_config(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, readable=True, help="llm_eval_config.json.")],
    *,
    name: Annotated[str, typer.Option(help="The preset's name.")] = "llm_eval_config",
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """Import an `llm_eval_config.json`: its models become providers, its settings a preset. After an error, nothing has
    been imported."""
    from llmbench_cli.errors import CommandFailed

    if file.stat().st_size > _LARGEST_BYTES:
        raise CommandFailed(f"{file} is larger than a configuration can be")
    try:
        config = json.loads(file.read_text("utf-8-sig"))
    except (ValueError, OSError) as failed:
        raise CommandFailed(f"{file} cannot be read as JSON: {failed}") from failed
    _post("/api/providers/import-llm-eval-config", config, as_json=as_json, url=url, preset_name=name)


@presets.command("delete")
@asks("presets:delete", "presets:read")
def delete_preset(name: Name, *, url: Url = None) -> None:
    """Delete a preset. Runs keep the values with which they started."""
    from llmbench_cli.client import Client
    from llmbench_cli.running import platform_url
    from llmbench_cli.runs.names import preset

    async def delete() -> None:
        async with Client(platform_url(url)) as client:
            await client.delete(f"{PATH}/{(await preset(client, name))['id']}")

    asyncio.run(delete())


def _post(path: str, body: Any, *, as_json: bool, url: str | None, **query: Any) -> None:
    from llmbench_cli.client import Client, Json
    from llmbench_cli.running import platform_url
    from llmbench_cli.runs.output import print_json
    from llmbench_cli.safe_text import safe_line

    async def send() -> Json:
        async with Client(platform_url(url)) as client:
            return await client.post(path, body, **query)

    made = asyncio.run(send())
    if as_json:
        print_json(made)
        return
    for model in made.get("models", []):
        print(safe_line(f"✓ {model['role']} model {model['model']} of the provider '{model['name']}'"))
    print(safe_line(f"✓ Preset '{made.get('preset_name') or made['name']}'"))
    for note in made["notes"]:
        print(safe_line(f"! {note}"))


def _table(found: list[dict[str, Any]]) -> "Table":
    from llmbench_cli.runs.result_tables import plain_table

    shown = plain_table("")
    shown.add_column("preset", overflow="fold", min_width=12)
    for name in ("at once", "timeout", "retries", "history", "models"):
        shown.add_column(name, justify="right", no_wrap=True)
    shown.add_column("description", overflow="fold")
    for entry in found:
        settings = entry["settings"]
        shown.add_row(
            entry["name"],
            str(settings["max_concurrent_calls"]),
            f"{settings['timeout_seconds']:g} s",
            str(settings["max_retries"]),
            str(settings["max_conversation_history"]),
            str(settings["parallel_groups"]),
            entry["description"] or "",
        )
    return shown
