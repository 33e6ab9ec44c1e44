"""Show one evaluation, and derive its exit code."""

from statistics import fmean
from typing import Any

from rich.table import Table

from llmbench.thresholds import reaches
from llmbench_cli.console import terminal
from llmbench_cli.runs.run_file import Thresholds
from llmbench_cli.runs.verdict import MISSED, OTHERWISE, PASSED
from llmbench_cli.safe_text import safe_json, safe_line


def show_evaluation(raw: dict[str, Any], url: str) -> None:
    """Print each metric's score from 0 to 1 and on its own scale, with the reason; or the error if it has no score.
    `url` is the page of the evaluation."""
    found = safe_json(raw)
    table = Table("Metric", "Score", "Raw", "Passed", "Why", box=None, pad_edge=False)
    for result in found["results"]:
        metric = result["metric"]
        scored = metric in found["scores"]
        table.add_row(
            metric,
            f"{found['scores'][metric]:.2f}" if scored else "—",
            f"{result['raw']:g} of {result['scale_max']:g}" if scored else "",
            {True: "yes", False: "no", None: ""}[result["passed"]],
            safe_line(found["reasoning"].get(metric) or found["errors"].get(metric) or ""),
        )
    console = terminal()
    console.print(table)
    took = "" if found["latency_ms"] is None else f", {found['latency_ms'] / 1000:.1f} s"
    console.print(f"{found['status']}{took}, ${found['cost_usd']:.4f}: {url}", soft_wrap=True)
    for warning in found["warnings"]:
        console.print(f"! {warning}", style="yellow", soft_wrap=True)


def verdict(found: dict[str, Any], thresholds: Thresholds) -> tuple[int, str | None]:
    """Return the exit code for an evaluation, and the reason if the code is not 0."""
    if found["status"] != "completed" and not (thresholds.allow_partial and found["scores"]):
        return OTHERWISE, f"the evaluation is {found['status']}"
    mean = fmean(found["scores"].values()) if found["scores"] else 0.0
    if thresholds.min_score is not None and not reaches(mean, thresholds.min_score):
        return MISSED, f"the mean score {mean:.3f} is below {thresholds.min_score:g}"
    if thresholds.min_pass_rate is not None and found["passed"] is False:
        return MISSED, "the output does not pass"
    return PASSED, None
