"""The commands `llmbench organisations …`, for the operator: list organisations, and reopen or erase closed ones."""

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer

from llmbench_cli.rights import works_here
from llmbench_cli.runs.options import AsJson

if TYPE_CHECKING:
    from rich.table import Table

    from llmbench.db.organisations import Listed

organisations = typer.Typer(
    help="The organisations, with LLMBENCH_AUTH=on: list them, reopen closed ones, and erase their data.",
    no_args_is_help=True,
)
Slug = Annotated[str, typer.Argument(help="The short name: `llmbench organisations list` shows it.")]


@organisations.command("list")
@works_here
def list_organisations(*, as_json: AsJson = False) -> None:
    """List the organisations with their plans, members and runs."""
    from dataclasses import asdict

    from llmbench.db import organisations as stored
    from llmbench_cli.console import terminal
    from llmbench_cli.running import database_url
    from llmbench_cli.runs.output import print_json

    found = asyncio.run(stored.list_organisations(database_url()))
    if as_json:
        texts = [{"id": str(each.id), "closed_at": each.closed_at and each.closed_at.isoformat()} for each in found]
        print_json([asdict(each) | text for each, text in zip(found, texts, strict=True)])
    else:
        terminal().print(_table(found))


@organisations.command("reopen")
@works_here
def reopen(slug: Slug) -> None:
    """Reopen a closed organisation. Its members, API keys and links work as before."""
    from llmbench.db import organisations as stored
    from llmbench_cli.running import database_url

    asyncio.run(stored.reopen(database_url(), slug))
    typer.echo(f"{slug} is open again")


@organisations.command("erase")
@works_here
def erase(slug: Slug, *, yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False) -> None:
    """Delete everything of a closed organisation: runs, tasks, datasets, providers, members.

    Its name and its audit log stay. There is no way back, except a backup.
    """
    from llmbench.db import organisations as stored
    from llmbench_cli.running import database_url

    if not yes:
        typer.confirm(f"Delete everything of {slug}?", abort=True)
    rows = asyncio.run(stored.erase(database_url(), slug))
    typer.echo(f"{slug} is erased: {rows:,} rows. Uploaded files go within two hours.")


def _table(found: "list[Listed]") -> "Table":
    from rich.table import Table

    from llmbench_cli.safe_text import safe

    table = Table("organisation", "name", "plan", "members", "runs", "closed")
    for each in found:
        closed = each.closed_at.strftime("%Y-%m-%d %H:%M UTC") if each.closed_at else ""
        table.add_row(safe(each.slug), safe(each.name), each.plan, f"{each.members:,}", f"{each.runs:,}", closed)
    return table
