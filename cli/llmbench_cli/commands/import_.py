"""The command `llmbench import`: import a file of tasks into the running platform."""

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from llmbench_cli.exit_codes import ExitCode
from llmbench_cli.rights import asks

# The upload limit of config-api, checked here before a large file is sent.
MAX_BYTES = 20 * 1024 * 1024


class OnConflict(StrEnum):
    REJECT = "reject"
    SKIP = "skip"
    UPDATE = "update"


@asks("tasks:create")
def import_(  # noqa: PLR0913  # one parameter per option
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, readable=True, help="CSV, JSON, JSONL, YAML …")],
    *,
    format_: Annotated[
        str | None,
        typer.Option(
            "--format",
            help="csv, json, jsonl, yaml, promptfoo or openai-evals; by default recognised by the file's name.",
        ),
    ] = None,
    collection: Annotated[
        str | None, typer.Option(help="Put the tasks into this collection, which is created if missing.")
    ] = None,
    on_conflict: Annotated[OnConflict, typer.Option(help="What to do with a task that exists.")] = OnConflict.REJECT,
    skip_bad_rows: Annotated[
        bool, typer.Option("--skip-bad-rows", help="Import the valid rows even if others are bad.")
    ] = False,
    recognise: Annotated[
        bool,
        typer.Option("--recognise", help="Recognise columns by name, as for datasets; others become metadata."),
    ] = False,
    map_: Annotated[
        list[str] | None,
        typer.Option("--map", help="Map a column: right=expected_output, notes=ignore. May be repeated."),
    ] = None,
    category: Annotated[
        str | None, typer.Option(help="With --recognise or --map, the category of rows that have none.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would happen, and change nothing.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the platform's answer as JSON.")] = False,
    url: Annotated[str | None, typer.Option(help="The platform's address; by default the one that runs here.")] = None,
) -> None:
    """Import a file of tasks: all of it, or nothing when a row is bad (exit code 1), unless --skip-bad-rows is set."""
    from llmbench_cli.client import with_client
    from llmbench_cli.errors import Refused
    from llmbench_cli.import_report import show_columns, show_refusal, show_result

    console = Console()
    if file.stat().st_size > MAX_BYTES:
        typer.echo(f"llmbench: {file} is larger than {MAX_BYTES // 1024 // 1024} MiB; import it in parts", err=True)
        raise typer.Exit(ExitCode.FAILED)
    query: dict[str, Any] = {
        "file_name": file.name,
        "on_conflict": on_conflict.value,
        "skip_bad_rows": str(skip_bad_rows).lower(),
        "dry_run": str(dry_run).lower(),
        **({"format": format_} if format_ else {}),
        **({"collection_name": collection} if collection else {}),
        **({"recognise": "true"} if recognise else {}),
        **({"map": map_} if map_ else {}),
        **({"category": category} if category else {}),
    }
    refusal = None
    try:
        with console.status(f"importing {file.name}"):
            answer = with_client(url, lambda client: client.send("/api/tasks/import", file.read_bytes(), **query))
    except Refused as failed:
        answer = refusal = failed.problem
    if as_json:
        print(json.dumps(answer, ensure_ascii=False))
    elif refusal is not None:
        show_refusal(console, refusal, file=str(file))
    else:
        show_columns(console, answer, file=str(file))
        show_result(console, answer, file=str(file))
    # The exit code of a dry run also says whether the import would be refused.
    refused = dry_run and not skip_bad_rows and answer.get("bad_row_count", 0) > 0
    raise typer.Exit(ExitCode.FAILED if refusal is not None or refused else ExitCode.OK)
