"""The command `llmbench gate check`: test how reliably a gate passes an unchanged model."""

import asyncio
from typing import Annotated

import typer

from llmbench_cli.runs.options import MARGIN, AsJson, ClusterBy, Run, Url

gate = typer.Typer(help="Try gates before relying on them: `llmbench compare --gate`.", no_args_is_help=True)


@gate.command("check")
def check(
    run: Run,
    *,
    metric: Annotated[
        str, typer.Option("--gate", metavar="METRIC", help="score, pass_rate, cost, latency, or an evaluator's name.")
    ] = "score",
    margin: Annotated[float, MARGIN],
    cluster_by: ClusterBy = None,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """Compare a baseline with itself many times. Print how often there was a false alarm, and how often the gate would
    find an unchanged model fine.

    Exit codes: 0 if an unchanged model would be fine in at least 80 of 100 comparisons. 2 if in fewer, or if the gate
    is refused. 1 after any other error. If it is fewer, the message also says how many cases or clusters, or which
    margin, would be needed, as far as that can be computed.
    """
    from llmbench_cli.client import Client, Json
    from llmbench_cli.console import terminal
    from llmbench_cli.errors import Refused
    from llmbench_cli.running import platform_url
    from llmbench_cli.runs import gates, result_tables
    from llmbench_cli.runs.names import run_id
    from llmbench_cli.runs.output import print_json, tell
    from llmbench_cli.safe_text import safe_json

    request: Json = {"gate": gates.choice(metric, margin, force=False), "cluster_by": cluster_by}

    async def read() -> Json:
        async with Client(platform_url(url)) as client:
            return await client.post("/v1/benchmarks/check-gate", request | {"run_id": await run_id(client, run)})

    try:
        found = asyncio.run(read())
    except Refused as refused:
        if refused.status == 422:
            tell(f"llmbench: the gate is refused: {refused}")
            raise typer.Exit(gates.REFUSED) from refused
        raise
    if as_json:
        print_json(found)
    else:
        result_tables.spaced(terminal(), [gates.checked(safe_json(found))])
    for target in found["targets"]:
        tell(f"{target['label']}: {target['sentence']}")
    raise typer.Exit(0 if found["holds"] else gates.REFUSED)
