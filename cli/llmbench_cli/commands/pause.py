"""The command `llmbench pause`: stop a run from starting further calls until it is resumed."""

from llmbench_cli.rights import asks
from llmbench_cli.runs.options import Run, Url


@asks("runs:create", "runs:read")
def pause(run: Run, *, url: Url = None) -> None:
    """Pause a run: calls in flight finish and are kept, and no further call starts."""
    from llmbench_cli.runs.orders import order

    order(url, run, "pause")
