"""Decide by its thresholds whether a run is good enough, and derive the exit code.

- 0: complete, and every target reaches the thresholds
- 100, promptfoo's code for failed assertions: complete, but a target misses a threshold. It misses every threshold if
  its suite skipped a task because another task was not solved
- 1: anything else: cancelled, failed, paused, or partial unless `allow_partial` is set
"""

from collections.abc import Iterator

from llmbench.thresholds import reaches
from llmbench_cli.client import Json
from llmbench_cli.exit_codes import ExitCode
from llmbench_cli.runs.run_file import Thresholds

PASSED, MISSED, OTHERWISE = ExitCode.OK, ExitCode.MISSED, ExitCode.FAILED


def verdict(run: Json, wanted: Thresholds) -> tuple[int, list[str]]:
    """Return the exit code of a run and the reasons for it. Code 0 has no reasons."""
    if run["status"] != "FINISHED":
        reason = f": {run['status_reason']}" if run["status_reason"] else ""
        return OTHERWISE, [f"the run is {run['status'].lower()}{reason}"]
    totals = run["totals"]
    if run["outcome"] == "failed":
        return OTHERWISE, ["no answer was scored"]
    if run["outcome"] != "complete" and not wanted.allow_partial:
        # Without the failed items the results are not representative of the run.
        return OTHERWISE, [
            f"{totals['failed']} of {totals['items']} items failed: the figures are of the others (--allow-partial)"
        ]
    missed = list(_missed(run, wanted))
    return (MISSED if missed else PASSED), missed


def _missed(run: Json, wanted: Thresholds) -> Iterator[str]:
    for result in run["results"]:
        for name, figure, least, form in (
            ("mean score", result["mean_score"], wanted.min_score, "{:.3g}"),
            ("pass rate", result["pass_rate"], wanted.min_pass_rate, "{:.1%}"),
        ):
            if least is None:
                continue
            if result.get("skipped"):
                # The figure lacks what a gate skipped, so it reaches no threshold of the complete suite.
                left_out = f"{result['skipped']} of {result['items']} items"
                yield f"{result['label']}: {name} is without {left_out}, which a gate skipped"
            elif figure is None or not reaches(figure, least):
                reached = "nothing" if figure is None else form.format(figure)
                yield f"{result['label']}: {name} {reached}, wanted {form.format(least)}"
