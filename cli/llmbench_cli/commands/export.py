"""`llmbench export`: a run's items as a file."""

import asyncio
from pathlib import Path
from typing import Annotated, Any

import typer

from llmbench.contracts.run_words import ItemStatus
from llmbench_cli.runs.options import Run, Url

_BY_SUFFIX = {
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".xml": "junit",
    ".parquet": "parquet",
}


def export(  # noqa: PLR0913  # one parameter per option
    run: Run,
    *,
    format_: Annotated[
        str | None,
        typer.Option(
            "--format",
            "-f",
            help="csv, jsonl, json, junit, parquet, or a report's: benchmark-record, regression-report, rag-run. Else "
            "the file's name tells, else csv.",
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", dir_okay=False, help="Where to; else the standard output.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    status: Annotated[
        list[ItemStatus] | None, typer.Option(case_sensitive=False, help="Only items in this state; may be repeated.")
    ] = None,
    model: Annotated[list[str] | None, typer.Option(help="Only this model's; may be repeated.")] = None,
    category: Annotated[list[str] | None, typer.Option(help="Only of this category; may be repeated.")] = None,
    task: Annotated[str | None, typer.Option(help="Only tasks whose id contains this.")] = None,
    passed: Annotated[
        bool | None, typer.Option("--passed/--not-passed", help="Only what the judge let pass, or not.")
    ] = None,
    score_min: Annotated[float | None, typer.Option(help="Least score, on the judge's scale.")] = None,
    score_max: Annotated[float | None, typer.Option(help="Greatest score, on the judge's scale.")] = None,
    failure_kind: Annotated[list[str] | None, typer.Option(help="Only failures of this kind; may be repeated.")] = None,
    q: Annotated[str | None, typer.Option("--q", help="In task id, question, answer or reason.")] = None,
    url: Url = None,
) -> None:
    """Write a run's items, those that the options choose, as they are streamed: any size fits."""
    from llmbench_cli.client import Client
    from llmbench_cli.running import platform_url
    from llmbench_cli.runs.names import run_id
    from llmbench_cli.runs.sink import sink

    given: dict[str, Any] = {
        "format": format_ or (_BY_SUFFIX.get(output.suffix.lower()) if output else None),
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

    async def write() -> None:
        async with Client(platform_url(url)) as client:
            found = await run_id(client, run)
            with sink(output, force=force) as put:
                async with client.stream(f"/api/runs/{found}/export", **query) as chunks:
                    async for chunk in chunks:
                        put(chunk)

    asyncio.run(write())
