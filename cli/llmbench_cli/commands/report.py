"""The command `llmbench report`: write a run as a report, at the path where the tool that reads it looks for it."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from llmbench_cli.rights import asks
from llmbench_cli.runs.options import Run, Url
from llmbench_cli.runs.reports import ReportFormat


@asks("runs:read")
def report(
    run: Run,
    *,
    format_: Annotated[ReportFormat, typer.Option("--format", "-f", help="Which report.")] = (
        ReportFormat.BENCHMARK_RECORD
    ),
    into: Annotated[
        Path, typer.Option(file_okay=False, help="The folder in which the report gets its place.")
    ] = Path(),
    target: Annotated[str | None, typer.Option(help="Only this target, by its label.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
    url: Url = None,
) -> None:
    """Write a run's report, and print its path.

    benchmark-record   data/benchmarks/{timestamp}/{suite}.jsonl, which `llmbench sql` reads
    regression-report  results/benchmark_{timestamp}.json; with several targets, a file for each, with its name
    rag-run            outputs/llm_eval/runs/{run id}.json

    Their contents: docs/how-to/reports.md. `llmbench report-links` makes a link to a report for people.
    """
    from llmbench_cli.client import Client
    from llmbench_cli.errors import CommandFailed
    from llmbench_cli.running import platform_url
    from llmbench_cli.runs.names import run_id
    from llmbench_cli.runs.output import print_note
    from llmbench_cli.runs.reports import planned
    from llmbench_cli.runs.sink import sink

    async def write() -> None:
        async with Client(platform_url(url)) as client:
            found = await client.get(f"/api/runs/{await run_id(client, run)}")
            if found["status"] not in ("FINISHED", "CANCELLED"):
                print_note(f"the run is {found['status'].lower()}: the report covers the results so far")
            for planned_file in planned(found, format_, into, target=target):
                try:
                    planned_file.path.parent.mkdir(parents=True, exist_ok=True)
                except OSError as failed:
                    raise CommandFailed(f"{planned_file.path.parent} cannot be made: {failed.strerror}") from failed
                path = f"/api/runs/{found['id']}/export"
                with sink(planned_file.path, force=force) as put:
                    async with client.stream(path, format=format_.value, **planned_file.query) as chunks:
                        async for chunk in chunks:
                            put(chunk)
                print(planned_file.path)

    asyncio.run(write())
