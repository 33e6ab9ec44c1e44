"""The commands `llmbench experiment …`: compare variants in rounds until a decision, through `/v1/experiments`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from llmbench_cli.rights import asks
from llmbench_cli.runs.options import AsJson, Url

if TYPE_CHECKING:
    from llmbench_cli.client import Client

Json = dict[str, Any]
PATH = "/v1/experiments"
_PAGE = 100
_LOOK_EVERY_S = 1.0

experiment = typer.Typer(help="Compare variants on the same cases, until it is decided.", no_args_is_help=True)
Name = Annotated[str, typer.Argument(metavar="EXPERIMENT", help="The experiment's name or id.", show_default=False)]
File = Annotated[Path, typer.Argument(metavar="FILE.yaml", dir_okay=False, help="The experiment.", show_default=False)]
Notes = Annotated[str | None, typer.Option(help="What to remember of the decision.", show_default=False)]


@experiment.command("list")
@asks("experiments:read")
def list_experiments(
    *,
    status: Annotated[
        str | None, typer.Option(help="DRAFT, RUNNING, PAUSED, CONCLUDED or ARCHIVED.", show_default=False)
    ] = None,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """List experiments, the newest first."""
    from llmbench_cli.client import with_client
    from llmbench_cli.console import terminal
    from llmbench_cli.experiment_view import experiment_table
    from llmbench_cli.runs.output import print_json
    from llmbench_cli.safe_text import safe_json

    query = {} if status is None else {"status": status.upper()}
    found = with_client(url, lambda client: _all(client, **query))
    if as_json:
        print_json(found)
    elif found:
        terminal().print(experiment_table(safe_json(found)))
    else:
        terminal(stderr=True).print("no experiments: `llmbench experiment create FILE.yaml` makes one")


@experiment.command("create")
@asks("collections:read", "datasets:read", "experiments:create", "prompts:read", "providers:read")
def create_experiment(
    file: File,
    *,
    start: Annotated[bool, typer.Option("--start", help="Start it at once.")] = False,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """Create an experiment from a file, as a draft."""
    from llmbench_cli.client import with_client
    from llmbench_cli.errors import Refused
    from llmbench_cli.experiment_file import body_of, read_experiment
    from llmbench_cli.runs.output import print_json

    source = read_experiment(file)

    async def create(client: "Client") -> Json:
        try:
            made = await client.post(PATH, await body_of(client, source))
            return await client.post(f"{PATH}/{made['experiment_id']}/start") if start else made
        except Refused as refused:
            raise source.refused(refused) from refused

    made = with_client(url, create)
    if as_json:
        print_json(made)
    else:
        _say(made, "is started" if start else "is created as a draft")


@experiment.command("plan")
@asks("collections:read", "datasets:read", "experiments:read", "prompts:read", "providers:read")
def plan_experiment(file: File, *, as_json: AsJson = False, url: Url = None) -> None:
    """Plan the experiment of a file: the sample that it needs, and what that costs. Nothing is created."""
    from llmbench_cli.client import with_client
    from llmbench_cli.errors import Refused
    from llmbench_cli.experiment_file import body_of, read_experiment
    from llmbench_cli.experiment_view import plan_lines
    from llmbench_cli.resources import say
    from llmbench_cli.runs.output import print_json

    source = read_experiment(file)

    async def plan(client: "Client") -> Json:
        try:
            return await client.post(f"{PATH}/plan", await body_of(client, source))
        except Refused as refused:
            raise source.refused(refused) from refused

    planned = with_client(url, plan)
    if as_json:
        print_json(planned)
        return
    for line in plan_lines(planned):
        say(line)


@experiment.command("start")
@asks("experiments:create", "experiments:read")
def start_experiment(name: Name, *, url: Url = None) -> None:
    """Start a draft: its first round begins, or waits in the queue."""
    _say(_post(url, name, "start"), "is started")


@experiment.command("pause")
@asks("experiments:create", "experiments:read")
def pause_experiment(name: Name, *, url: Url = None) -> None:
    """Pause an experiment and the run of its current round."""
    _say(_post(url, name, "pause"), "is paused")


@experiment.command("resume")
@asks("experiments:create", "experiments:read")
def resume_experiment(name: Name, *, url: Url = None) -> None:
    """Resume a paused experiment. A round that failed is repeated."""
    _say(_post(url, name, "resume"), "goes on")


@experiment.command("watch")
@asks("experiments:read")
def watch_experiment(name: Name, *, as_json: AsJson = False, url: Url = None) -> None:
    """Follow a running experiment until it stops, and show each look, an analysis after a round.

    The exit code is 0 if the experiment's own stopping rule stopped it, or if it was concluded. The code is 1 if it was
    never started, or was paused for another reason. Ctrl-C stops watching, not the experiment.
    """
    import asyncio

    from llmbench_cli.client import with_client
    from llmbench_cli.errors import CommandFailed, Unreachable
    from llmbench_cli.runs.output import print_json, print_note

    async def watch(client: "Client") -> Json:
        path = await _path(client, name)
        seen = 0
        while True:
            try:
                found = await client.get(path)
                looks = (await client.get(f"{path}/looks", limit=500, offset=seen))["looks"]
            except Unreachable:
                await asyncio.sleep(_LOOK_EVERY_S)
                continue
            for look in looks:
                seen += 1
                print_note(
                    f"look {look['number']}, {look['done']:,} of {look['planned']:,}: {look['analysis']['sentence']}"
                )
            if found["status"] != "RUNNING" and not looks:
                return found
            await asyncio.sleep(_LOOK_EVERY_S)

    found = with_client(url, watch)
    if as_json:
        print_json(found)
    if found["status"] == "DRAFT":
        raise CommandFailed("the experiment has not started: `llmbench experiment start` starts it")
    if found["status"] == "PAUSED" and found["stopped"] is None:
        raise CommandFailed(f"the experiment is paused: {found['status_reason']}")
    if not as_json:
        saved = found["progress"]["saved_share"]
        words = "" if not saved else f"; {saved:.0%} of the planned calls were not made"
        reason = found["stopped"]["sentence"] if found["stopped"] else "it was concluded"
        print_note(f"{found['status']}: {reason}{words}")


@experiment.command("results")
@asks("experiments:read", "runs:read")
def show_results(name: Name, *, as_json: AsJson = False, url: Url = None) -> None:
    """Show the results of an experiment by its latest look, the last analysis that was stored."""
    from llmbench_cli.client import with_client
    from llmbench_cli.console import terminal
    from llmbench_cli.experiment_view import results_table
    from llmbench_cli.resources import say
    from llmbench_cli.runs.judge_notes import judge_notes
    from llmbench_cli.runs.output import print_json, print_note
    from llmbench_cli.safe_text import safe_json

    async def read(client: "Client") -> tuple[Json, list[str]]:
        path = await _path(client, name)
        found = await client.get(f"{path}/results")
        if as_json or found["analysis"] is None:
            return found, []
        # All rounds of an experiment have the same evaluators.
        rounds = (await client.get(f"{path}/rounds", limit=500))["rounds"]
        return found, await judge_notes(client, [each["run_id"] for each in rounds if each["run_id"]][-1:])

    results, of_judges = with_client(url, read)
    if as_json:
        print_json(results)
    elif results["analysis"] is None:
        terminal(stderr=True).print("no look was made yet")
    else:
        terminal().print(results_table(safe_json(results)))
        say(results["analysis"]["sentence"])
        say(results["analysis"]["recommendation"])
        for note in of_judges:
            print_note(note)


@experiment.command("conclude")
@asks("experiments:create", "experiments:read")
def conclude_experiment(
    name: Name,
    *,
    winner: Annotated[
        str, typer.Option(metavar="VARIANT", help="The winner's name or id, or no_winner.", show_default=False)
    ],
    notes: Notes = None,
    url: Url = None,
) -> None:
    """Conclude an experiment with a winner, or with no_winner. A round that is still running is cancelled."""
    from llmbench_cli.client import with_client

    async def conclude(client: "Client") -> Json:
        path = await _path(client, name)
        variants = (await client.get(path))["variants"]
        ids = {variant["name"]: variant["variant_id"] for variant in variants}
        return await client.post(f"{path}/conclude", {"winner": ids.get(winner, winner), "notes": notes})

    _say(with_client(url, conclude), "is concluded")


@experiment.command("record")
@asks("experiments:read")
def show_record(name: Name, *, as_json: AsJson = False, url: Url = None) -> None:
    """Print the decision record of an experiment as Markdown: its plan, every look, and the decision."""
    from llmbench_cli.client import with_client
    from llmbench_cli.safe_text import safe

    async def read(client: "Client") -> str:
        path = f"{await _path(client, name)}/record"
        async with client.stream(path, format="json" if as_json else "markdown") as chunks:
            return b"".join([chunk async for chunk in chunks]).decode()

    text = with_client(url, read)
    print("\n".join(safe(line) for line in text.splitlines()))


def _post(url: str | None, name: str, command: str) -> Json:
    from llmbench_cli.client import with_client

    async def post(client: "Client") -> Json:
        return await client.post(f"{await _path(client, name)}/{command}")

    return with_client(url, post)


async def _all(client: "Client", **query: Any) -> list[Json]:
    found: list[Json] = []
    while True:
        page = await client.get(PATH, limit=_PAGE, offset=len(found), **query)
        found += page["experiments"]
        if not page["has_more"]:
            return found


async def _path(client: "Client", wanted: str) -> str:
    from llmbench_cli.errors import CommandFailed
    from llmbench_cli.runs.names import Named

    entries = [{"id": each["experiment_id"], "name": each["name"]} for each in await _all(client)]
    known = Named("experiment", entries)
    experiment_id = known.id(wanted)
    if experiment_id is None:
        raise CommandFailed(known.lacking(wanted))
    return f"{PATH}/{experiment_id}"


def _say(found: Json, what: str) -> None:
    from llmbench_cli.runs.output import print_note

    print_note(f"the experiment '{found['name']}' {what}")
