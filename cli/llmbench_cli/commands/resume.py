"""The command `llmbench resume`: continue a paused run."""

from typing import Annotated

import typer

from llmbench_cli.rights import asks
from llmbench_cli.runs.options import Run, Url


@asks("runs:create", "runs:read")
def resume(
    run: Run,
    *,
    max_cost_usd: Annotated[
        float | None, typer.Option(help="A new cost limit, for a run that paused at its old one.", show_default=False)
    ] = None,
    url: Url = None,
) -> None:
    """Resume a paused run: it continues with its next item."""
    from llmbench_cli.runs.orders import order

    order(url, run, "resume", None if max_cost_usd is None else {"max_cost_usd": max_cost_usd})
