"""`llmbench compare`: whether a run is better or worse than another, or neither can be told."""

import asyncio
from enum import StrEnum
from typing import Annotated

import typer

from llmbench_cli.runs.options import MARGIN, AsJson, ClusterBy, ForceGate, Gate, Url


class Undecided(StrEnum):
    """What an undecided gate is worth."""

    FAIL = "fail"
    OK = "ok"


def compare(
    runs: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN…",
            help="The baseline, then what is compared with it. One run alone: with its baseline run, else its targets.",
            show_default=False,
        ),
    ],
    *,
    gate: Gate = None,
    margin: Annotated[float | None, MARGIN] = None,
    undecided: Annotated[
        Undecided, typer.Option(help="Exit with 0 where the gate is undecided, unless lower than the baseline.")
    ] = Undecided.FAIL,
    force: ForceGate = False,
    cluster_by: ClusterBy = None,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """Compare runs case by case: targets of one label, or the only target of each.

    Exit codes of a gate: 0 fine, 100 worse, 101 undecided, 102 too few cases scored in both, 2 refused.

    Without one: 0; 100 when something is worse by more than the margin, and not by chance; 1 when it cannot be told.
    """
    from llmbench_cli.client import Client, Json
    from llmbench_cli.console import terminal
    from llmbench_cli.errors import Refused
    from llmbench_cli.running import platform_url
    from llmbench_cli.runs import comparison, gates, result_tables
    from llmbench_cli.runs.output import print_json, tell
    from llmbench_cli.safe_text import safe_json

    if not gate and (force or undecided is Undecided.OK):
        raise typer.BadParameter("--undecided and --force are about a gate: name its metric with --gate")
    asked: Json = {"cluster_by": cluster_by}
    asked |= {"gate": gates.choice(gate, margin, force=force)} if gate else {"margin": margin or 0}

    async def read() -> Json:
        async with Client(platform_url(url)) as client:
            return await client.post("/v1/benchmarks/compare", await comparison.chosen(client, runs) | asked)

    try:
        found = asyncio.run(read())
    except Refused as refused:
        if gate and refused.status == 422:
            tell(f"llmbench: the gate is refused: {refused}")
            raise typer.Exit(gates.REFUSED) from refused
        raise
    if as_json:
        print_json(found)
    else:
        shown = safe_json(found)
        tables = [
            table for one in shown["comparisons"] for table in (comparison.table(one), *comparison.by_evaluator(one))
        ]
        gated = [gates.table(shown["gate"])] if gate else []
        result_tables.spaced(terminal(), [*tables, comparison.winner(shown), *gated])
    if gate:
        for pair in found["gate"]["pairs"]:
            tell(f"{pair['label']}: {pair['state']}: {pair['sentence']}")
        raise typer.Exit(gates.exit_code(found["gate"], forgive_undecided=undecided is Undecided.OK))
    code, reasons = comparison.judged(found)
    for reason in reasons:
        tell(reason)
    raise typer.Exit(code)
