"""The commands `llmbench gate …`: save the gates of a baseline, and test how reliably a gate passes an unchanged
model."""

import asyncio
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from llmbench_cli.rights import asks
from llmbench_cli.runs.options import MARGIN, AsJson, ClusterBy, Label, Preset, Suite, Task, Url

if TYPE_CHECKING:
    from llmbench_cli.client import Client, Json
    from llmbench_cli.runs.baselines import Owner

gate = typer.Typer(
    help="Try gates before relying on them, and save those of a baseline: each later run of its preset or suite is "
    "compared when it ends.",
    no_args_is_help=True,
)
Metric = Annotated[
    str,
    typer.Argument(metavar="METRIC", help="score, pass_rate, cost, latency, or an evaluator's name."),
]


class Undecided(StrEnum):
    """The way an undecided gate counts: as a failure, or as passed."""

    FAIL = "fail"
    OK = "ok"


@gate.command("check")
@asks("presets:read", "runs:read", "suites:read")
def check(  # noqa: PLR0913  # one parameter per option
    run: Annotated[
        str | None,
        typer.Argument(
            metavar="RUN", help="An id, its beginning or end, the run's name, or `last`.", show_default=False
        ),
    ] = None,
    *,
    metric: Annotated[
        str, typer.Option("--gate", metavar="METRIC", help="score, pass_rate, cost, latency, or an evaluator's name.")
    ] = "score",
    margin: Annotated[float | None, MARGIN] = None,
    cluster_by: ClusterBy = None,
    task: Task = None,
    preset: Annotated[
        str | None, typer.Option(help="Check the saved gates of this preset's baseline instead of a run.")
    ] = None,
    suite: Annotated[str | None, typer.Option(help="Check the saved gates of this suite's baseline.")] = None,
    label: Label = "main",
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """Compare a baseline with itself many times. Print how often there was a false alarm, and how often the gate would
    find an unchanged model fine.

    Name a run and --margin, or a preset or suite with saved gates (`llmbench gate add`).

    Exit codes: 0 if an unchanged model would be fine in at least 80 of 100 comparisons. 2 if it would be fine in fewer,
    or if the gate is refused. 1 after any other error. With fewer than 80, the message also says how many cases or
    clusters, or which margin, would be needed, if that can be computed.
    """
    from llmbench_cli.client import Client
    from llmbench_cli.console import terminal
    from llmbench_cli.errors import Refused
    from llmbench_cli.running import platform_url
    from llmbench_cli.runs import baselines, gates, result_tables
    from llmbench_cli.runs.output import print_json, print_note
    from llmbench_cli.safe_text import safe_json

    if (run is None) == (preset is None and suite is None):
        message = "name a run and --margin, or --preset or --suite for its saved gates"
        raise typer.BadParameter(message, param_hint="RUN")

    async def read() -> "list[Json]":
        async with Client(platform_url(url)) as client:
            if run is None:
                return await _check_saved(client, baselines.owner(preset, suite), label)
            choice = gates.choice(metric, margin, force=False) | {"task": task}
            return [await _check_run(client, run, choice, cluster_by)]

    try:
        found = asyncio.run(read())
    except Refused as refused:
        if refused.status == 422:
            print_note(f"llmbench: the gate is refused: {refused}")
            raise typer.Exit(gates.REFUSED) from refused
        raise
    if as_json:
        print_json(found if run is None else found[0])
    else:
        result_tables.spaced(terminal(), [gates.checked(safe_json(checked)) for checked in found])
    for checked in found:
        for target in checked["targets"]:
            print_note(f"{target['label']}: {target['sentence']}")
        for planned in checked.get("judge_checks", []):
            print_note(f"{checked['title']}: {planned['sentence']}")
    raise typer.Exit(0 if all(checked["holds"] for checked in found) else gates.REFUSED)


async def _check_run(client: "Client", run: str, choice: "Json", cluster_by: str | None) -> "Json":
    from llmbench_cli.runs.names import run_id

    body = {"run_id": await run_id(client, run), "gate": choice, "cluster_by": cluster_by}
    return await client.post("/v1/benchmarks/check-gate", body)


async def _check_saved(client: "Client", of: "Owner", label: str) -> "list[Json]":
    from llmbench_cli.errors import CommandFailed
    from llmbench_cli.runs import baselines

    saved = (await baselines.require(client, of, label))["gates"]
    if not saved:
        raise CommandFailed(f"the baseline '{label}' has no gate: `llmbench gate add METRIC --margin …` saves one")
    return [await client.post(f"/api/gates/{entry['id']}/check", {}) for entry in saved]


@gate.command("add")
@asks("presets:read", "runs:create", "runs:read", "runs:update", "suites:read")
def add(  # noqa: PLR0913  # one parameter per option
    metric: Metric,
    *,
    margin: Annotated[float, MARGIN],
    preset: Preset = None,
    suite: Suite = None,
    task: Task = None,
    label: Label = "main",
    undecided: Annotated[
        Undecided, typer.Option(help="ok: an undecided gate passes, unless the run is certainly worse.")
    ] = Undecided.FAIL,
    cluster_by: ClusterBy = None,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """Save a gate of the baseline of a preset or suite, or change the one on the same metric.

    The score of a suite is a mean over its tasks; --task limits the gate to one of them.

    The gate is refused (exit code 2) if it would find an unchanged model fine in fewer than 80 of 100 comparisons. The
    message says how many cases, or which margin, it needs.
    """
    from llmbench_cli.client import Client, Json
    from llmbench_cli.console import terminal
    from llmbench_cli.errors import Refused
    from llmbench_cli.running import platform_url
    from llmbench_cli.runs import baselines, gates
    from llmbench_cli.runs.output import print_json, print_note
    from llmbench_cli.safe_text import safe_json

    gates.choice(metric, margin, force=False)
    of = baselines.owner(preset, suite)
    body: Json = {"margin": margin, "undecided": undecided.value, "cluster_by": cluster_by}

    async def send() -> Json:
        async with Client(platform_url(url)) as client:
            found = await baselines.require(client, of, label)
            same = [saved for saved in found["gates"] if baselines.is_on(saved, metric, task)]
            if same:
                saved = await client.patch(f"/api/gates/{same[0]['id']}", body)
            else:
                named = {"metric": metric, "task": task}
                saved = await client.post(f"{baselines.PATH}/{found['id']}/gates", body | named)
            return found | {"gates": [saved]}

    try:
        made = asyncio.run(send())
    except Refused as refused:
        if refused.status == 422:
            print_note(f"llmbench: the gate is refused: {refused}")
            raise typer.Exit(gates.REFUSED) from refused
        raise
    if as_json:
        print_json(made["gates"][0])
    else:
        terminal().print(baselines.gates_table(safe_json([made])))


@gate.command("list")
@asks("runs:read")
def list_gates(*, as_json: AsJson = False, url: Url = None) -> None:
    """List the saved gates of all baselines."""
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
        print_json([saved for entry in found for saved in entry["gates"]])
    elif any(entry["gates"] for entry in found):
        terminal().print(baselines.gates_table(safe_json(found)))
    else:
        terminal(stderr=True).print(
            "no gates yet: `llmbench gate add METRIC --margin … --preset NAME` saves one, or with --suite"
        )


@gate.command("delete")
@asks("presets:read", "runs:delete", "runs:read", "suites:read")
def delete_gate(
    metric: Metric,
    *,
    preset: Preset = None,
    suite: Suite = None,
    task: Task = None,
    label: Label = "main",
    url: Url = None,
) -> None:
    """Delete a saved gate. Verdicts on runs stay."""
    from llmbench_cli.client import Client
    from llmbench_cli.running import platform_url
    from llmbench_cli.runs import baselines

    of = baselines.owner(preset, suite)

    async def delete() -> None:
        async with Client(platform_url(url)) as client:
            found = await baselines.require(client, of, label)
            await client.delete(f"/api/gates/{baselines.gate_on(found, metric, task)['id']}")

    asyncio.run(delete())
