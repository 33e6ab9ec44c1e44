"""The command `llmbench move`: change the order of the queue."""

from typing import Annotated

import typer

from llmbench_cli.rights import asks
from llmbench_cli.runs.options import Run, Url


@asks("runs:create", "runs:read")
def move(
    run: Run,
    *,
    position: Annotated[
        int | None, typer.Option(min=1, help="The new place, counted from 1. The default is 1.", show_default=False)
    ] = None,
    priority: Annotated[
        int | None,
        typer.Option(min=-100, max=100, help="Become the last run of this priority instead.", show_default=False),
    ] = None,
    url: Url = None,
) -> None:
    """Move a queued run to the front of the queue, to a position, or to another priority."""
    from llmbench_cli.errors import CommandFailed
    from llmbench_cli.runs.orders import order

    if position is not None and priority is not None:
        raise CommandFailed("give either --position or --priority")
    order(url, run, "move", {"position": position or 1} if priority is None else {"priority": priority})
