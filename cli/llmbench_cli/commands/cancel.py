"""The command `llmbench cancel`: end a run for good."""

from llmbench_cli.runs.options import Run, Url


def cancel(run: Run, *, url: Url = None) -> None:
    """End a run for good: calls in flight are aborted, existing answers are kept."""
    from llmbench_cli.runs.orders import order

    order(url, run, "cancel")
