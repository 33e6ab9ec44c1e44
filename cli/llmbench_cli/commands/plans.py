"""The commands `llmbench plans …`, for the operator: list and change plans, which limit what organisations may use."""

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer

from llmbench_cli.rights import works_here
from llmbench_cli.runs.options import AsJson

if TYPE_CHECKING:
    from rich.table import Table

    from llmbench.db.plans import Plan

plans = typer.Typer(
    help="The limits of organisations, with LLMBENCH_AUTH=on: list, change and give plans.", no_args_is_help=True
)
Name = Annotated[str, typer.Argument(help="FREE, STARTER, PROFESSIONAL or ENTERPRISE.")]
_NONE = "none"


@plans.command("list")
@works_here
def list_plans(*, as_json: AsJson = False) -> None:
    """List the plans with their limits and organisations."""
    from dataclasses import asdict

    from llmbench.db import plans as stored
    from llmbench_cli.console import terminal
    from llmbench_cli.running import database_url
    from llmbench_cli.runs.output import print_json

    found = asyncio.run(stored.list_plans(database_url()))
    if as_json:
        print_json([asdict(plan) for plan in found])
    else:
        terminal().print(_table(found))


@plans.command("set")
@works_here
def set_plan(
    name: Name,
    *,
    concurrency: Annotated[str | None, typer.Option(help="Calls at a time to each model of a run.")] = None,
    runs_a_day: Annotated[str | None, typer.Option(help="Runs created per day in UTC.")] = None,
    storage_bytes: Annotated[str | None, typer.Option(help="Bytes of uploaded files.")] = None,
    members: Annotated[str | None, typer.Option(help="Members of an organisation.")] = None,
) -> None:
    """Change limits of a plan; `none` removes one. The changes apply immediately, to all organisations of the plan."""
    from llmbench.db import plans as stored
    from llmbench_cli.running import database_url

    given = {
        "concurrency": concurrency,
        "runs_a_day": runs_a_day,
        "storage_bytes": storage_bytes,
        "members": members,
    }
    changes = {limit: _number(text, limit) for limit, text in given.items() if text is not None}
    if not changes:
        raise typer.BadParameter("name at least one limit to change")
    asyncio.run(stored.change_plan(database_url(), name.upper(), changes))
    typer.echo(f"{name.upper()}: {', '.join(f'{limit} {_shown(value)}' for limit, value in changes.items())}")


@plans.command("give")
@works_here
def give_plan(
    organisation: Annotated[str, typer.Argument(help="The organisation's short name: `llmbench plans list` shows it.")],
    name: Name,
) -> None:
    """Give an organisation another plan. The limits of that plan apply immediately."""
    from llmbench.db import plans as stored
    from llmbench_cli.running import database_url

    asyncio.run(stored.give_plan(database_url(), organisation, name.upper()))
    typer.echo(f"{organisation} has the plan {name.upper()}")


def _number(text: str, limit: str) -> int | None:
    if text.lower() == _NONE:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 15):
        raise typer.BadParameter(f"{limit}: {text!r} is no number, and not `{_NONE}`")
    least = 1 if limit in ("concurrency", "members") else 0
    if int(text) < least:
        raise typer.BadParameter(f"{limit}: must be at least {least}")
    return int(text)


def _shown(value: int | None) -> str:
    return "no limit" if value is None else f"{value:,}"


def _table(found: "list[Plan]") -> "Table":
    from rich.table import Table

    from llmbench_cli.safe_text import safe

    table = Table("plan", "calls at a time", "runs a day", "bytes", "members", "organisations")
    for plan in found:
        limits = (plan.concurrency, plan.runs_a_day, plan.storage_bytes, plan.members)
        table.add_row(plan.name, *map(_shown, limits), safe(", ".join(plan.organisations)))
    return table
