"""The command `llmbench compare`: decide whether a run is certainly better or worse than another."""

import asyncio
from enum import StrEnum
from typing import Annotated

import typer

from llmbench_cli.rights import asks
from llmbench_cli.runs.options import MARGIN, AsJson, ClusterBy, ForceGate, Gate, Url


class Undecided(StrEnum):
    """The values of `--undecided`: whether an undecided gate fails the command."""

    FAIL = "fail"
    OK = "ok"


@asks("runs:read")
def compare(  # noqa: PLR0913  # one parameter per option
    runs: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN…",
            help="The baseline, then the runs to compare with it. A single run is compared with its baseline run, "
            "or else its targets with each other.",
            show_default=False,
        ),
    ],
    *,
    pairs: Annotated[
        list[str] | None,
        typer.Option(
            "--pair",
            metavar="BASELINE=CANDIDATE",
            help="Targets of two runs to pair, by label. The others are paired automatically. Repeatable.",
            show_default=False,
        ),
    ] = None,
    gate: Gate = None,
    margin: Annotated[float | None, MARGIN] = None,
    undecided: Annotated[
        Undecided,
        typer.Option(help="ok: an undecided gate passes, unless the run is certainly worse."),
    ] = Undecided.FAIL,
    force: ForceGate = False,
    cluster_by: ClusterBy = None,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """Compare runs case by case. Targets are paired by label, else by model and parameters, else by model.

    Between runs of a suite, the tasks count as in the score of the suite.

    Exit codes of a gate: 0 fine, 100 worse, 101 undecided, 102 too few cases scored in both, 2 refused.

    Without a gate: 100 when a target is worse by more than the margin, and not by chance; else 1 when a target
    has no verdict; else 0.
    """
    from rich.text import Text

    from llmbench_cli.client import Client, Json
    from llmbench_cli.console import terminal
    from llmbench_cli.errors import Refused
    from llmbench_cli.running import platform_url
    from llmbench_cli.runs import comparison, gates, result_tables
    from llmbench_cli.runs.judge_notes import judge_notes
    from llmbench_cli.runs.output import print_json, print_note
    from llmbench_cli.safe_text import safe_json

    if not gate and (force or undecided is Undecided.OK):
        raise typer.BadParameter("--undecided and --force are about a gate: name its metric with --gate")
    request: Json = {"cluster_by": cluster_by}
    request |= {"gate": gates.choice(gate, margin, force=force)} if gate else {"margin": margin or 0}

    async def read() -> tuple[Json, list[str]]:
        async with Client(platform_url(url)) as client:
            body = await comparison.chosen(client, runs, pairs or ()) | request
            found = await client.post("/v1/benchmarks/compare", body)
            columns = [column["run_id"] for each in found["comparisons"] for column in each["columns"]]
            return found, [] if as_json else await judge_notes(client, columns)

    try:
        found, of_judges = asyncio.run(read())
    except Refused as refused:
        if gate and refused.status == 422:
            print_note(f"llmbench: the gate is refused: {refused}")
            raise typer.Exit(gates.REFUSED) from refused
        raise
    if as_json:
        print_json(found)
    else:
        shown = safe_json(found)
        gated = [gates.table(shown["gate"])] if gate else []
        noted = dict.fromkeys(note for compared in shown["comparisons"] for note in comparison.notes(compared))
        notes = [*map(Text, comparison.weightings(shown)), *(Text(note, style="yellow") for note in noted)]
        result_tables.spaced(terminal(), [*comparison.tables(shown), *notes, comparison.winner(shown), *gated])
    for sentence in [*comparison.unpaired(found), *of_judges]:
        print_note(sentence)
    if gate:
        for pair in found["gate"]["pairs"]:
            print_note(f"{pair['label']}: {pair['state']}: {pair['sentence']}")
        raise typer.Exit(gates.exit_code(found["gate"], forgive_undecided=undecided is Undecided.OK))
    code, reasons = comparison.outcome(found)
    for reason in dict.fromkeys(reasons):
        print_note(reason)
    raise typer.Exit(code)
