"""`llmbench pause`."""

from llmbench_cli.runs.options import Run, Url


def pause(run: Run, *, url: Url = None) -> None:
    """Pause a run: calls under way are finished and kept, no further one starts."""
    from llmbench_cli.runs.orders import order

    order(url, run, "pause")
