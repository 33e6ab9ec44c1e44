"""The command `llmbench prune`: remove old runs and orphaned uploads, after a preview."""

import asyncio
import sys
from typing import Annotated

import typer

from llmbench_cli.rights import asks
from llmbench_cli.runs.options import AsJson, Url


@asks("storage:create", "storage:delete", "storage:read")
def prune(
    *,
    older_than: Annotated[
        str | None,
        typer.Option(
            "--older-than",
            metavar="AGE",
            help="The age of the runs to remove: 30d (days), 6w (weeks) or 12h (hours). By default the platform's "
            "LLMBENCH_RETENTION_DAYS.",
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be removed, and what not.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """Remove old runs that are finished or cancelled, with their calls and events, and orphaned uploads.

    Baselines stay, and so do runs that are compared with a baseline run. Ctrl-C stops between two runs, so that none is
    removed partly.
    """
    from llmbench_cli.client import Client, Json
    from llmbench_cli.console import terminal
    from llmbench_cli.errors import CommandFailed
    from llmbench_cli.retention import age_in_days, removed_line, summary, tables
    from llmbench_cli.running import platform_url
    from llmbench_cli.runs.output import print_json, print_note
    from llmbench_cli.runs.result_tables import spaced
    from llmbench_cli.safe_text import safe_json

    days = None if older_than is None else age_in_days(older_than)
    where = platform_url(url)

    async def look() -> tuple[Json, Json]:
        async with Client(where) as client:
            query = {} if days is None else {"older_than_days": days}
            return await client.get("/api/retention", **query), await client.get("/api/uploads/orphans")

    async def remove(older_than_days: float | None) -> tuple[list[Json], int]:
        removed: list[Json] = []
        async with Client(where, timeout_s=None) as client:
            while older_than_days is not None:
                done = await client.post("/api/retention/prune", {"older_than_days": older_than_days})
                removed += done["removed"]
                for run in done["removed"]:
                    print_note(removed_line(run))
                if not done["left"]:
                    break
            return removed, (await client.post("/api/uploads/sweep"))["deleted"]

    found, orphans = asyncio.run(look())
    if found["older_than_days"] is None:
        raise CommandFailed(
            "name an age, as in `llmbench prune --older-than 30d`: this platform has no LLMBENCH_RETENTION_DAYS"
        )
    if not as_json:
        shown = safe_json(found)
        spaced(terminal(), tables(shown))
        terminal().print(f"\n{summary(shown, orphans['files'])}")
    nothing = not found["removable_runs"] and not orphans["files"]
    if dry_run or nothing:
        if as_json:
            print_json(found | {"orphaned_uploads": orphans["files"], "removed": [], "uploads_deleted": 0})
        return
    if not yes:
        if not sys.stdin.isatty():
            raise CommandFailed("--yes is needed to remove them without being asked")
        typer.confirm("Remove them? This cannot be undone.", abort=True, err=True)
    removed, deleted = asyncio.run(remove(found["older_than_days"] if found["removable_runs"] else None))
    if as_json:
        print_json(found | {"orphaned_uploads": orphans["files"], "removed": removed, "uploads_deleted": deleted})
    else:
        runs = "1 run" if len(removed) == 1 else f"{len(removed)} runs"
        files = "1 orphaned upload" if deleted == 1 else f"{deleted} orphaned uploads"
        print_note(f"removed {runs} and {files}; PostgreSQL reuses their space")
