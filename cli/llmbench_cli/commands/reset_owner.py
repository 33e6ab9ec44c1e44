"""The command `llmbench reset-owner`: restore the access of an owner who has lost password and second factor."""

import asyncio
from typing import Annotated

import typer

from llmbench_cli.rights import works_here


@works_here
def reset_owner(
    email: Annotated[str, typer.Argument(help="The owner's e-mail address.")],
    *,
    keep_second_factor: Annotated[
        bool, typer.Option(help="Ask for the second factor as before. Default: the link removes it.")
    ] = False,
) -> None:
    """Make a link by which an owner chooses a new password. It works once, within an hour.

    The command is for platforms with LLMBENCH_AUTH=on. It needs the login that owns the tables: LLMBENCH_DATABASE_URL,
    or else that of the running stack. The audit log of each organisation that the person owns records the link.
    """
    from llmbench.db.owner_reset import make_owner_reset
    from llmbench_cli.running import database_url, living_stack
    from llmbench_cli.safe_text import safe

    reset = asyncio.run(make_owner_reset(database_url(), email, second_factor=not keep_second_factor))
    stack = living_stack()
    typer.echo(f"{stack.url if stack else ''}{reset.path}")
    where = "Open this link" if stack else "Open this path at your platform's address"
    typer.echo(
        f"{where} before {reset.expires_at:%H:%M} UTC; it works once, and ends all sessions of this owner of "
        f"{safe(', '.join(reset.organisations))}.",
        err=True,
    )
