"""The commands `llmbench gate …`: save the gates of a baseline, and test how reliably a gate passes an unchanged
model."""

import asyncio
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from llmbench_cli.rights import asks
from llmbench_cli.runs.options import MARGIN, AsJson, ClusterBy, Label, Preset, Url

if TYPE_CHECKING:
    from llmbench_cli.client import Client, Json

gate = typer.Typer(
    help="Try gates before relying on them, and save those of a baseline: each later run of its preset is compared "
    "when it ends.",
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
@asks("presets:read", "runs:read")
def check(
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
    preset: Annotated[
        str | None, typer.Option(help="Check the saved gates of this preset's baseline instead of a run.")
    ] = None,
    label: Label = "main",
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """Compare a baseline with itself many times. Print how often there was a false alarm, and how often the gate would
    find an unchanged model fine.

    Name a run and --margin, or a preset with saved gates (`llmbench gate add`).

    Exit codes: 0 if an unchanged model would be fine in at least 80 of 100 comparisons. 2 if in fewer, or if the gate
    is refused. 1 after any other error. If it is fewer, the message also says how many cases or clusters, or which
    margin, would be needed, as far as that can be computed.
    """
    from llmbench_cli.client import Client
    from llmbench_cli.console import terminal
    from llmbench_cli.errors import Refused
    from llmbench_cli.running import platform_url
    from llmbench_cli.runs import gates, result_tables
    from llmbench_cli.runs.output import print_json, tell
    from llmbench_cli.safe_text import safe_json

    if (run is None) == (preset is None):
        raise typer.BadParameter("name a run and --margin, or --preset for its saved gates", param_hint="RUN")

    async def read() -> "list[Json]":
        async with Client(platform_url(url)) as client:
            if run is None:
                return await _check_saved(client, preset or "", label)
            choice = gates.choice(metric, margin, force=False)
            return [await _check_run(client, run, choice, cluster_by)]

    try:
        found = asyncio.run(read())
    except Refused as refused:
        if refused.status == 422:
            tell(f"llmbench: the gate is refused: {refused}")
            raise typer.Exit(gates.REFUSED) from refused
        raise
    if as_json:
        print_json(found if run is None else found[0])
    else:
        result_tables.spaced(terminal(), [gates.checked(safe_json(checked)) for checked in found])
    for checked in found:
        for target in checked["targets"]:
            tell(f"{target['label']}: {target['sentence']}")
    raise typer.Exit(0 if all(checked["holds"] for checked in found) else gates.REFUSED)


async def _check_run(client: "Client", run: str, choice: "Json", cluster_by: str | None) -> "Json":
    from llmbench_cli.runs.names import run_id

    body = {"run_id": await run_id(client, run), "gate": choice, "cluster_by": cluster_by}
    return await client.post("/v1/benchmarks/check-gate", body)


async def _check_saved(client: "Client", preset: str, label: str) -> "list[Json]":
    from llmbench_cli.errors import CommandFailed
    from llmbench_cli.runs import baselines

    saved = (await baselines.require(client, preset, label))["gates"]
    if not saved:
        raise CommandFailed(f"the baseline '{label}' has no gate: `llmbench gate add METRIC --margin …` saves one")
    return [await client.post(f"/api/gates/{entry['id']}/check", {}) for entry in saved]


@gate.command("add")
@asks("presets:read", "runs:create", "runs:read", "runs:update")
def add(
    metric: Metric,
    *,
    margin: Annotated[float, MARGIN],
    preset: Preset,
    label: Label = "main",
    undecided: Annotated[
        Undecided, typer.Option(help="ok: an undecided gate passes, unless the run is certainly worse.")
    ] = Undecided.FAIL,
    cluster_by: ClusterBy = None,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """Save a gate of a preset's baseline, or change the one on the same metric.

    It is refused (exit code 2) if it would find an unchanged model fine in fewer than 80 of 100 comparisons. The
    message says how many cases, or which margin, it needs.
    """
    from llmbench_cli.client import Client, Json
    from llmbench_cli.console import terminal
    from llmbench_cli.errors import Refused
    from llmbench_cli.running import platform_url
    from llmbench_cli.runs import baselines, gates
    from llmbench_cli.runs.output import print_json, tell
    from llmbench_cli.safe_text import safe_json

    gates.choice(metric, margin, force=False)
    body: Json = {"margin": margin, "undecided": undecided.value, "cluster_by": cluster_by}

    async def send() -> Json:
        async with Client(platform_url(url)) as client:
            found = await baselines.require(client, preset, label)
            same = [saved for saved in found["gates"] if saved["metric"] in (metric, f"evaluator:{metric}")]
            if same:
                saved = await client.patch(f"/api/gates/{same[0]['id']}", body)
            else:
                saved = await client.post(f"{baselines.PATH}/{found['id']}/gates", body | {"metric": metric})
            return found | {"gates": [saved]}

    try:
        made = asyncio.run(send())
    except Refused as refused:
        if refused.status == 422:
            tell(f"llmbench: the gate is refused: {refused}")
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
        terminal(stderr=True).print("no gates yet: `llmbench gate add METRIC --margin … --preset NAME` saves one")


@gate.command("delete")
@asks("presets:read", "runs:delete", "runs:read")
def delete_gate(metric: Metric, *, preset: Preset, label: Label = "main", url: Url = None) -> None:
    """Delete a saved gate. Verdicts on runs stay."""
    from llmbench_cli.client import Client
    from llmbench_cli.running import platform_url
    from llmbench_cli.runs import baselines

    async def delete() -> None:
        async with Client(platform_url(url)) as client:
            found = await baselines.require(client, preset, label)
            await client.delete(f"/api/gates/{baselines.gate_on(found, metric)['id']}")

    asyncio.run(delete())
