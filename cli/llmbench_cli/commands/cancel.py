"""`llmbench cancel`."""

from llmbench_cli.runs.options import Run, Url


def cancel(run: Run, *, url: Url = None) -> None:
    """End a run for good: calls under way are aborted, what was answered stays."""
    from llmbench_cli.runs.orders import order

    order(url, run, "cancel")
