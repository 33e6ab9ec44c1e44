"""The command `llmbench export`: write a run's items to a file."""

import asyncio
from pathlib import Path
from typing import Annotated, Any

import typer

from llmbench.contracts.run_words import ItemStatus
from llmbench_cli.rights import asks
from llmbench_cli.runs.options import Url


@asks("runs:read")
def export(  # noqa: PLR0913  # one parameter per option
    run: Annotated[
        str | None, typer.Argument(metavar="RUN", help="An id, its beginning or end, the run's name, or `last`.")
    ] = None,
    *,
    formats: Annotated[bool, typer.Option("--formats", help="List the formats, and write nothing.")] = False,
    format_: Annotated[
        str | None,
        typer.Option(
            "--format",
            "-f",
            help="A format that --formats lists; by default the file's extension decides, or csv.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", dir_okay=False, help="The file to write; by default the standard output."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
    status: Annotated[
        list[ItemStatus] | None, typer.Option(case_sensitive=False, help="Only items in this state; may be repeated.")
    ] = None,
    model: Annotated[list[str] | None, typer.Option(help="Only items of this model; may be repeated.")] = None,
    category: Annotated[list[str] | None, typer.Option(help="Only items of this category; may be repeated.")] = None,
    task: Annotated[str | None, typer.Option(help="Only items of tasks whose id contains this.")] = None,
    passed: Annotated[
        bool | None, typer.Option("--passed/--not-passed", help="Only items that passed, or only those that did not.")
    ] = None,
    score_min: Annotated[float | None, typer.Option(help="The lowest score, on the judge's scale.")] = None,
    score_max: Annotated[float | None, typer.Option(help="The highest score, on the judge's scale.")] = None,
    failure_kind: Annotated[list[str] | None, typer.Option(help="Only failures of this kind; may be repeated.")] = None,
    q: Annotated[
        str | None, typer.Option("--q", help="Only items whose task id, question, answer or reason contains this.")
    ] = None,
    url: Url = None,
) -> None:
    """Write the items of a run that the options select. They are streamed, so the run may have any size."""
    from llmbench_cli.client import Client
    from llmbench_cli.console import terminal
    from llmbench_cli.running import platform_url
    from llmbench_cli.runs.export_formats import export_formats, format_of_file, formats_table
    from llmbench_cli.runs.names import run_id
    from llmbench_cli.runs.sink import sink

    given: dict[str, Any] = {
        "format": format_,
        "status": status or None,
        "model": model or None,
        "category": category or None,
        "task_id": task,
        "passed": passed,
        "score_min": score_min,
        "score_max": score_max,
        "failure_kind": failure_kind or None,
        "q": q,
    }
    query = {name: value for name, value in given.items() if value is not None}

    async def list_formats() -> None:
        async with Client(platform_url(url)) as client:
            terminal().print(formats_table(await export_formats(client)))

    async def write(run: str) -> None:
        async with Client(platform_url(url)) as client:
            found = await run_id(client, run)
            if format_ is None and output is not None:
                query["format"] = format_of_file(output, await export_formats(client)) or "csv"
            with sink(output, force=force) as put:
                async with client.stream(f"/api/runs/{found}/export", **query) as chunks:
                    async for chunk in chunks:
                        put(chunk)

    if formats:
        asyncio.run(list_formats())
    elif run is None:
        raise typer.BadParameter("Name a run, or ask for --formats.", param_hint="RUN")
    else:
        asyncio.run(write(run))
