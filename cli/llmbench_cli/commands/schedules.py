"""The commands `llmbench schedules …`: start runs at the times of a cron expression, through `/api/schedules`."""

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from llmbench_cli.rights import asks
from llmbench_cli.runs.options import AsJson, Url

if TYPE_CHECKING:
    from rich.table import Table

    from llmbench_cli.client import Client

Json = dict[str, Any]
PATH = "/api/schedules"

schedules = typer.Typer(help="Start runs, also of suites, at the times of a cron expression.", no_args_is_help=True)
Name = Annotated[str, typer.Argument(metavar="SCHEDULE", help="The schedule's name or id.", show_default=False)]
Cron = Annotated[
    str,
    typer.Option(help="Minute, hour, day of month, month, day of week: '0 2 * * 1-5'.", show_default=False),
]
Zone = Annotated[str, typer.Option("--zone", help="The time zone of the expression, such as Europe/Berlin.")]


@schedules.command("list")
@asks("runs:read")
def list_schedules(*, as_json: AsJson = False, url: Url = None) -> None:
    """List schedules, with the next time of each and how its last run went."""
    from llmbench_cli.client import with_client
    from llmbench_cli.console import terminal
    from llmbench_cli.runs.output import print_json
    from llmbench_cli.safe_text import safe_json

    found = with_client(url, lambda client: client.get(PATH))["items"]
    if as_json:
        print_json(found)
    elif found:
        terminal().print(_table(safe_json(found)))
    else:
        terminal(stderr=True).print(
            "no schedules yet: `llmbench schedules create FILE.yaml --cron …` makes one, or with --suite NAME"
        )


@schedules.command("create")
@asks("collections:read", "presets:read", "providers:read", "runs:create", "runs:read", "suites:read")
def create_schedule(  # noqa: PLR0913  # one parameter per option
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE.yaml", dir_okay=False, help="What to run, unless it is a suite."),
    ] = None,
    *,
    name: Annotated[str, typer.Option(help="The schedule's name.", show_default=False)],
    cron: Cron,
    zone: Zone = "UTC",
    suite: Annotated[
        str | None, typer.Option(metavar="NAME", help="Run this suite, each time in its newest published version.")
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option("--model", "-m", metavar="PROVIDER:MODEL", help="A model that the suite tests; may be repeated."),
    ] = None,
    judge: Annotated[
        str | None, typer.Option(metavar="PROVIDER:MODEL", help="The judge of the suite, if an evaluator asks one.")
    ] = None,
    task: Annotated[list[str] | None, typer.Option(help="Only this task of the suite; may be repeated.")] = None,
    webhook: Annotated[
        str | None, typer.Option(metavar="URL", help="A URL to call when a run is over and its gates are decided.")
    ] = None,
    overlap: Annotated[
        bool, typer.Option("--overlap", help="Start a run also while the last one is not over.")
    ] = False,
    paused: Annotated[bool, typer.Option("--paused", help="Start nothing before `llmbench schedules resume`.")] = False,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """Create a schedule for the run that a file describes, as `llmbench run` reads it, or for a suite (--suite).

    Thresholds and a gate in the file are not checked: a schedule only starts runs. Each run is compared with the
    baselines of its preset or suite.
    """
    from llmbench_cli.client import with_client
    from llmbench_cli.runs.output import print_json, print_note

    if (file is None) == (suite is None):
        raise typer.BadParameter("name a file, or a suite to run", param_hint="FILE.yaml / --suite")
    if suite is not None and not model:
        raise typer.BadParameter("name at least one: --model PROVIDER:MODEL", param_hint="--model")
    if suite is None and (model or judge or task):
        raise typer.BadParameter("the file names what to test: leave out --model, --judge and --task")
    body: Json = {"name": name, "cron": cron, "time_zone": zone, "skip_if_running": not overlap, "paused": paused}
    if suite is not None:
        made = with_client(url, partial(_create_of_suite, body, suite, model or [], judge, task, webhook))
    else:
        made = with_client(url, partial(_create_of_file, body, file or Path(), webhook))
    if as_json:
        print_json(made)
        return
    _say(made, "is created")
    if made["webhook_secret"]:
        print_note(f"the secret of its webhook, which is not shown again: {made['webhook_secret']}")


async def _create_of_file(body: Json, file: Path, webhook: str | None, client: "Client") -> Json:
    from llmbench_cli.errors import Refused
    from llmbench_cli.runs.names import run_body
    from llmbench_cli.runs.run_file import read_run_file

    wanted, source = read_run_file(file)
    request = await run_body(client, wanted, source) | _webhook(webhook)
    try:
        return await client.post(PATH, body | {"what": {"kind": "run", "request": request}})
    except Refused as refused:
        prefix = "what.request."
        inside = [(field.removeprefix(prefix), why) for field, why in refused.errors if field.startswith(prefix)]
        raise source.refused(inside) or refused from refused


async def _create_of_suite(
    body: Json,
    suite: str,
    models: list[str],
    judge: str | None,
    tasks: list[str] | None,
    webhook: str | None,
    client: "Client",
) -> Json:
    from llmbench_cli.runs.suite_body import model_of, suite_version

    request: Json = {"suite_id": (await suite_version(client, suite, None, published=True))["id"]}
    request["models"] = [model_of(each) for each in models]
    if judge:
        request["judge"] = model_of(judge)
    if tasks:
        request["tasks"] = tasks
    return await client.post(PATH, body | {"what": {"kind": "suite", "request": request | _webhook(webhook)}})


def _webhook(url: str | None) -> Json:
    return {} if url is None else {"webhook_url": url}


@schedules.command("next")
@asks("runs:read")
def next_times(
    cron: Annotated[str, typer.Argument(help="The cron expression, in quotes.", show_default=False)],
    *,
    zone: Zone = "UTC",
    count: Annotated[int, typer.Option(min=1, max=50, help="How many times.")] = 5,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """Show the next times of a cron expression, without creating a schedule."""
    from llmbench_cli.client import with_client
    from llmbench_cli.runs.output import print_json
    from llmbench_cli.safe_text import safe_line

    query = {"cron": cron, "time_zone": zone, "count": count}
    found = with_client(url, lambda client: client.get(f"{PATH}/next-times", **query))
    if as_json:
        print_json(found)
    else:
        for time in found["items"]:
            print(safe_line(_local(time["local"])))


@schedules.command("history")
@asks("runs:read")
def history(
    schedule: Name,
    *,
    limit: Annotated[int, typer.Option(min=1, max=100, help="How many firings.")] = 20,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """Show when a schedule was due or run by hand (its firings), and what followed, the latest first."""
    from llmbench_cli.client import with_client
    from llmbench_cli.console import terminal
    from llmbench_cli.runs.output import print_json
    from llmbench_cli.safe_text import safe_json

    async def read(client: "Client") -> Json:
        return await client.get(f"{await _path(client, schedule)}/firings", limit=limit)

    found = with_client(url, read)["items"]
    if as_json:
        print_json(found)
    elif found:
        terminal().print(_firings(safe_json(found)))
    else:
        terminal(stderr=True).print("it has not fired yet")


@schedules.command("pause")
@asks("runs:create", "runs:read")
def pause_schedule(schedule: Name, *, url: Url = None) -> None:
    """Pause a schedule: it starts no runs until it is resumed."""
    _say(_post(url, schedule, "pause"), "is paused")


@schedules.command("resume")
@asks("runs:create", "runs:read")
def resume_schedule(schedule: Name, *, url: Url = None) -> None:
    """Resume a paused schedule. Due times during the pause cause no run."""
    _say(_post(url, schedule, "resume"), "goes on")


@schedules.command("run")
@asks("runs:create", "runs:read")
def run_schedule(schedule: Name, *, as_json: AsJson = False, url: Url = None) -> None:
    """Start the run of a schedule now, also while the schedule is paused."""
    from llmbench_cli.client import with_client
    from llmbench_cli.errors import CommandFailed
    from llmbench_cli.runs.output import print_json, print_note
    from llmbench_cli.runs.start import start

    async def begin(client: "Client") -> Json:
        return await start(client, f"{await _path(client, schedule)}/run", {}, notify=print_note)

    firing = with_client(url, begin)
    if as_json:
        print_json(firing)
    if firing["status"] == "FAILED":
        raise CommandFailed(f"no run was created: {firing['reason']}")
    if not as_json:
        run = firing["run"]
        print_note(f"run {run['id']} is {run['status']}" if run else f"the run is being created: {firing['reason']}")


@schedules.command("delete")
@asks("runs:delete", "runs:read")
def delete_schedule(
    schedule: Name,
    *,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    url: Url = None,
) -> None:
    """Delete a schedule and its history. Its runs are kept."""
    from llmbench_cli.client import with_client
    from llmbench_cli.errors import CommandFailed
    from llmbench_cli.runs.output import print_note
    from llmbench_cli.safe_text import safe_line

    if not yes:
        if not sys.stdin.isatty():
            raise CommandFailed(f"--yes is needed to delete {safe_line(schedule)} without being asked")
        typer.confirm(f"Delete the schedule {safe_line(schedule)}?", abort=True, err=True)

    async def delete(client: "Client") -> None:
        await client.delete(await _path(client, schedule))

    with_client(url, delete)
    print_note(f"deleted {schedule}; its runs are kept")


def _post(url: str | None, schedule: str, action: str) -> Json:
    from llmbench_cli.client import with_client

    async def post(client: "Client") -> Json:
        return await client.post(f"{await _path(client, schedule)}/{action}")

    return with_client(url, post)


async def _path(client: "Client", wanted: str) -> str:
    from llmbench_cli.errors import CommandFailed
    from llmbench_cli.runs.names import Named

    known = Named("schedule", (await client.get(PATH))["items"])
    schedule_id = known.id(wanted)
    if schedule_id is None:
        raise CommandFailed(known.lacking(wanted))
    return f"{PATH}/{schedule_id}"


def _say(schedule: Json, what: str) -> None:
    from llmbench_cli.runs.output import print_note

    times = schedule["next_times"]
    following = f"; next: {_local(times[0]['local'])} {schedule['time_zone']}" if times else ""
    print_note(f"the schedule '{schedule['name']}' {what}{following}")


def _local(text: str) -> str:
    """Format an ISO 8601 timestamp for people: weekday, date, time and offset from UTC.

    >>> _local("2026-11-25T02:00:00+01:00")
    'Wed 2026-11-25 02:00 +01:00'
    """
    from datetime import datetime

    moment = datetime.fromisoformat(text)
    return f"{moment:%a %Y-%m-%d %H:%M} {text[-6:]}"


def _table(found: list[dict[str, Any]]) -> "Table":
    from llmbench_cli.runs.result_tables import plain_table
    from llmbench_cli.runs.words import NONE

    shown = plain_table("")
    shown.add_column("schedule", overflow="fold", min_width=12)
    shown.add_column("cron", no_wrap=True)
    shown.add_column("time zone", overflow="fold")
    shown.add_column("next", overflow="fold")
    shown.add_column("last", overflow="fold")
    for entry in found:
        times = entry["next_times"]
        following = "paused" if entry["paused"] else _local(times[0]["local"]) if times else NONE
        last = NONE if entry["last"] is None else _outcome(entry["last"])
        shown.add_row(entry["name"], entry["cron"], entry["time_zone"], following, last)
    return shown


def _firings(found: list[dict[str, Any]]) -> "Table":
    from llmbench_cli.runs.result_tables import plain_table

    shown = plain_table("")
    for name in ("due", "fired"):
        shown.add_column(name, no_wrap=True)
    shown.add_column("missed", justify="right")
    for name in ("result", "run"):
        shown.add_column(name, overflow="fold")
    for firing in found:
        due = firing["due_at"] if firing["cause"] == "DUE" else "run now"
        run = firing["run"]["id"] if firing["run"] else ""
        shown.add_row(due, firing["fired_at"], str(firing["missed"] or ""), _outcome(firing), run)
    return shown


def _outcome(firing: dict[str, Any]) -> str:
    run = firing["run"]
    if run is not None:
        return str(run["outcome"] or run["status"])
    reason = f": {firing['reason']}" if firing["reason"] else ""
    return f"{firing['status'].lower()}{reason}"
