"""`llmbench export-tasks`: tasks of the running platform as a file that `llmbench import` reads."""

from pathlib import Path
from typing import Annotated

import typer

_BY_SUFFIX = {".csv": "csv", ".json": "json", ".jsonl": "jsonl", ".yaml": "yaml", ".yml": "yaml"}


def export_tasks(
    file: Annotated[Path, typer.Argument(dir_okay=False, help="Where to; `-` is the standard output.")],
    *,
    format_: Annotated[
        str | None, typer.Option("--format", help="csv, json, jsonl or yaml; else the file's name tells.")
    ] = None,
    collection: Annotated[str | None, typer.Option(help="Only the tasks of this collection, in its order.")] = None,
    url: Annotated[str | None, typer.Option(help="The platform's address; else the one that runs here.")] = None,
) -> None:
    """Write tasks into a file."""
    from llmbench_cli.platform_api import Unanswered, collection_id, platform_api, problem_of

    query = {"format": format_ or _BY_SUFFIX.get(file.suffix.lower(), "jsonl")}
    # Written beside and moved when whole: a broken export leaves no half a file, and an old one as it was.
    beside = file.with_name(f".{file.name}.part")
    try:
        with platform_api(url) as api:
            if collection:
                query["collection_id"] = collection_id(api, collection)
            with api.stream("GET", "/api/tasks/export", params=query) as answer:
                if answer.is_error:
                    answer.read()
                    raise Unanswered(str(problem_of(answer)["detail"]))
                if str(file) == "-":
                    for chunk in answer.iter_bytes():
                        typer.get_binary_stream("stdout").write(chunk)
                else:
                    with beside.open("wb") as out:
                        out.writelines(answer.iter_bytes())
                    beside.replace(file)
    except (Unanswered, OSError) as failed:
        beside.unlink(missing_ok=True)
        typer.echo(f"llmbench: {failed}", err=True)
        raise typer.Exit(1) from failed
