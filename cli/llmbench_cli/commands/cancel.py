"""The command `llmbench cancel`: end a run for good."""

from llmbench_cli.rights import asks
from llmbench_cli.runs.options import Run, Url


@asks("runs:create", "runs:read")
def cancel(run: Run, *, url: Url = None) -> None:
    """End a run for good: calls in flight are aborted, existing answers are kept."""
    from llmbench_cli.runs.orders import order

    order(url, run, "cancel")
