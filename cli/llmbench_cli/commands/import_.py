"""`llmbench import`: a file of tasks into the running platform."""

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

# What config-api takes; a larger file would be sent in vain.
MAX_BYTES = 20 * 1024 * 1024


class OnConflict(StrEnum):
    REJECT = "reject"
    SKIP = "skip"
    UPDATE = "update"


def import_(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, readable=True, help="CSV, JSON, JSONL, YAML …")],
    *,
    format_: Annotated[
        str | None,
        typer.Option("--format", help="csv, json, jsonl, yaml, promptfoo or openai-evals; else the file's name tells."),
    ] = None,
    collection: Annotated[
        str | None, typer.Option(help="Put the tasks into this collection; made when there is none.")
    ] = None,
    on_conflict: Annotated[OnConflict, typer.Option(help="What to do with a task that exists.")] = OnConflict.REJECT,
    skip_bad_rows: Annotated[
        bool, typer.Option("--skip-bad-rows", help="Import the good rows although others are bad.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would happen, and change nothing.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the platform's answer as JSON.")] = False,
    url: Annotated[str | None, typer.Option(help="The platform's address; else the one that runs here.")] = None,
) -> None:
    """Import a file of tasks: all of it, or nothing when a row is bad (exit code 1)."""
    from llmbench_cli.import_report import show_refusal, show_result
    from llmbench_cli.platform_api import Unanswered, platform_api, problem_of

    console = Console()
    if file.stat().st_size > MAX_BYTES:
        typer.echo(f"llmbench: {file} is larger than {MAX_BYTES // 1024 // 1024} MiB; import it in parts", err=True)
        raise typer.Exit(1)
    query = {
        "file_name": file.name,
        "on_conflict": on_conflict.value,
        "skip_bad_rows": str(skip_bad_rows).lower(),
        "dry_run": str(dry_run).lower(),
        **({"format": format_} if format_ else {}),
        **({"collection_name": collection} if collection else {}),
    }
    try:
        with platform_api(url) as api, file.open("rb") as content, console.status(f"importing {file.name}"):
            answer = api.post("/api/tasks/import", params=query, content=content)
    except Unanswered as failed:
        typer.echo(f"llmbench: {failed}", err=True)
        raise typer.Exit(1) from failed
    said = problem_of(answer) if answer.is_error else answer.json()
    if as_json:
        print(json.dumps(said, ensure_ascii=False))
    elif answer.is_error:
        show_refusal(console, said, file=str(file))
    else:
        show_result(console, said, file=str(file))
    # A dry run tells in its exit code too whether the import would be refused.
    refused = dry_run and not skip_bad_rows and said.get("bad_row_count", 0) > 0
    raise typer.Exit(1 if answer.is_error or refused else 0)
