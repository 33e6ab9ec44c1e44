"""`llmbench compare`: whether a run is better or worse than another, or neither can be told."""

import asyncio
from typing import Annotated

import typer

from llmbench_cli.runs.options import AsJson, Url


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
    margin: Annotated[
        float, typer.Option(min=0, max=1, help="How much worse a mean score (0 to 1) may be before it is a regression.")
    ] = 0.0,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """Compare runs case by case: targets of one label, or the only target of each.

    Exit codes: 0; 100 when something is worse by more than the margin, and not by chance; 1 when it cannot be told.
    """
    from llmbench_cli.client import Client, Json
    from llmbench_cli.console import terminal
    from llmbench_cli.running import platform_url
    from llmbench_cli.runs import comparison, result_tables
    from llmbench_cli.runs.output import print_json, tell
    from llmbench_cli.safe_text import safe_json

    async def read() -> Json:
        async with Client(platform_url(url)) as client:
            chosen = await comparison.chosen(client, runs)
            return await client.post("/v1/benchmarks/compare", chosen | {"margin": margin})

    found = asyncio.run(read())
    if as_json:
        print_json(found)
    else:
        shown = safe_json(found)
        tables = [
            table for one in shown["comparisons"] for table in (comparison.table(one), *comparison.by_evaluator(one))
        ]
        result_tables.spaced(terminal(), [*tables, comparison.winner(shown)])
    code, reasons = comparison.judged(found)
    for reason in reasons:
        tell(reason)
    raise typer.Exit(code)
