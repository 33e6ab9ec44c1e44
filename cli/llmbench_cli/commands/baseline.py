"""The commands `llmbench baseline …`: name the run that later runs of a preset or suite are compared with."""

import asyncio
from enum import StrEnum
from typing import Annotated

import typer

from llmbench_cli.rights import asks
from llmbench_cli.runs.options import AsJson, Label, Preset, Run, Suite, Url

baseline = typer.Typer(
    help="Name the run that later runs of a preset or suite are compared with, by its gates (`llmbench gate add`).",
    no_args_is_help=True,
)


class Role(StrEnum):
    """The values of `--as`, which say whether a run becomes the baseline, the anchor or both. The anchor is a second
    baseline, which stays when another run is promoted."""

    BASELINE = "baseline"
    ANCHOR = "anchor"
    BOTH = "both"


@baseline.command("promote")
@asks("presets:read", "runs:create", "runs:read", "suites:read")
def promote_run(
    run: Run,
    *,
    preset: Preset = None,
    suite: Suite = None,
    label: Label = "main",
    role: Annotated[
        Role, typer.Option("--as", help="The anchor stays when another run becomes the baseline.")
    ] = Role.BASELINE,
    note: Annotated[str | None, typer.Option(help="Why, for the history.")] = None,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """Make a finished run the baseline of a preset or suite.

    The first run of a label also becomes its anchor, which stays when another run is promoted.
    """
    from llmbench_cli.client import Client, Json
    from llmbench_cli.console import terminal
    from llmbench_cli.running import platform_url
    from llmbench_cli.runs import baselines
    from llmbench_cli.runs.names import run_id
    from llmbench_cli.runs.output import print_json
    from llmbench_cli.safe_text import safe_json

    of = baselines.owner(preset, suite)

    async def send() -> Json:
        async with Client(platform_url(url)) as client:
            body: Json = {"run_id": await run_id(client, run), "note": note}
            found = await baselines.find(client, of, label)
            if found is not None:
                return await client.post(f"{baselines.PATH}/{found['id']}/promote", body | {"role": role.value})
            subject = await baselines.subject_of(client, of)
            return await client.post(baselines.PATH, body | {"subject": subject, "label": label})

    made = asyncio.run(send())
    if as_json:
        print_json(made)
    else:
        terminal().print(baselines.baselines_table(safe_json([made])))


@baseline.command("list")
@asks("runs:read")
def list_baselines(*, as_json: AsJson = False, url: Url = None) -> None:
    """List baselines with their gates."""
    from llmbench_cli.client import Client, Json
    from llmbench_cli.console import terminal
    from llmbench_cli.running import platform_url
    from llmbench_cli.runs import baselines
    from llmbench_cli.runs.output import print_json
    from llmbench_cli.safe_text import safe_json

    async def read() -> list[Json]:
        async with Client(platform_url(url)) as client:
            return [entry async for entry in client.every(baselines.PATH)]

    found = asyncio.run(read())
    if as_json:
        print_json(found)
    elif found:
        terminal().print(baselines.baselines_table(safe_json(found)))
    else:
        terminal(stderr=True).print(
            "no baselines yet: `llmbench baseline promote RUN --preset NAME` makes one, or with --suite"
        )


@baseline.command("history")
@asks("presets:read", "runs:read", "suites:read")
def show_history(
    *, preset: Preset = None, suite: Suite = None, label: Label = "main", as_json: AsJson = False, url: Url = None
) -> None:
    """List the runs that became the baseline or the anchor, the newest first."""
    from llmbench_cli.client import Client, Json
    from llmbench_cli.console import terminal
    from llmbench_cli.running import platform_url
    from llmbench_cli.runs import baselines
    from llmbench_cli.runs.output import print_json
    from llmbench_cli.safe_text import safe_json

    of = baselines.owner(preset, suite)

    async def read() -> list[Json]:
        async with Client(platform_url(url)) as client:
            found = await baselines.require(client, of, label)
            return [entry async for entry in client.every(f"{baselines.PATH}/{found['id']}/history")]

    found = asyncio.run(read())
    if as_json:
        print_json(found)
    else:
        terminal().print(baselines.history_table(safe_json(found)))


@baseline.command("delete")
@asks("presets:read", "runs:delete", "runs:read", "suites:read")
def delete_baseline(*, preset: Preset = None, suite: Suite = None, label: Label = "main", url: Url = None) -> None:
    """Delete a baseline with its gates and its history. Runs and their verdicts stay."""
    from llmbench_cli.client import Client
    from llmbench_cli.running import platform_url
    from llmbench_cli.runs import baselines

    of = baselines.owner(preset, suite)

    async def delete() -> None:
        async with Client(platform_url(url)) as client:
            found = await baselines.require(client, of, label)
            await client.delete(f"{baselines.PATH}/{found['id']}")

    asyncio.run(delete())
