"""Show experiments, their plan and their results in a terminal."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from llmbench_cli.runs.result_tables import plain_table
from llmbench_cli.runs.words import NONE, dollars, number

if TYPE_CHECKING:
    from rich.table import Table

Json = dict[str, Any]


def experiment_table(experiments: list[Json]) -> "Table":
    shown = plain_table("")
    shown.add_column("experiment", overflow="fold", min_width=12)
    for name in ("status", "method", "metric"):
        shown.add_column(name, no_wrap=True)
    shown.add_column("sample", justify="right", no_wrap=True)
    shown.add_column("result", overflow="fold")
    for each in experiments:
        progress = each["progress"]
        sample = NONE if progress["planned"] is None else f"{progress['done']:,} of {progress['planned']:,}"
        method = each["config"]["method"]
        shown.add_row(each["name"], each["status"], method, each["primary_metric"], sample, result_of(each))
    return shown


def result_of(experiment: Json) -> str:
    """Return the conclusion of an experiment in words, else the reason why it stopped or is paused; else empty."""
    conclusion = experiment["conclusion"]
    if conclusion is not None:
        return f"winner: {conclusion['winner_name']}" if conclusion["winner_name"] else "no winner"
    if experiment["stopped"] is not None:
        return f"stopped ({experiment['stopped']['rule']})"
    return experiment["status_reason"] or ""


def results_table(results: Json) -> "Table":
    shown = plain_table("")
    shown.add_column("variant", overflow="fold", min_width=12)
    for name in ("sample", "missing", "mean", "interval", "difference", "its interval"):
        shown.add_column(name, justify="right", no_wrap=True)
    shown.add_column("guardrails", overflow="fold")
    compared = {each["variant_id"]: each for each in (results["analysis"] or {}).get("comparisons", [])}
    for variant in results["variants"]:
        primary = variant["metrics"]["primary"]
        comparison = compared.get(variant["variant_id"])
        name = f"{variant['name']} (control)" if variant["is_control"] else variant["name"]
        shown.add_row(
            name,
            f"{variant['sample_size']:,}",
            f"{variant['missing']:,}",
            number(primary["mean"], "{:.4f}"),
            _interval(primary["confidence_interval"]),
            NONE if comparison is None else _differences(comparison, [comparison["expected"]]),
            NONE if comparison is None else _differences(comparison, comparison["interval"]),
            ", ".join(_guardrails(variant)),
        )
    return shown


def plan_lines(plan: Json) -> Iterator[str]:
    """Yield the plan of an experiment in sentences."""
    needed = plan["sample_size"]
    size = "no number of cases shows the minimum effect" if needed is None else f"{needed:,} clusters of each variant"
    yield f"needed: {size} (standard deviation {plan['standard_deviation']:.3g}, {plan['basis']})"
    yield f"planned: {plan['planned']:,} of each variant, power {plan['power']:.0%}"
    calls = f"{plan['calls']:,} calls in at most {plan['rounds']:,} rounds"
    if plan["expected_calls"] is not None:
        calls += f", about {plan['expected_calls']:,} if the effect is as planned"
    yield calls
    if plan["judge_calls"]:
        yield f"verdicts of the judge: {plan['judge_calls']:,}"
    cost, seconds = plan["cost_usd"], plan["duration_s"]
    yield f"cost: {'unknown' if cost is None else dollars(cost)}"
    yield f"time: {'unknown' if seconds is None else f'about {max(1, round(seconds / 60)):,} min'}"
    for warning in plan["warnings"]:
        yield f"warning: {warning}"


def _interval(interval: list[float | None] | None) -> str:
    return NONE if interval is None else " to ".join(number(end, "{:.4f}") for end in interval)


def _differences(comparison: Json, values: list[float | None] | None) -> str:
    """Format a difference, or the two ends of its interval. `values` has one number or two. The unit is percent of the
    control's mean if the comparison is relative, else percentage points. A dash stands for a missing difference."""
    if values is None or values == [None]:
        return NONE
    shown = " to ".join(number(None if value is None else 100 * value, "{:+.1f}") for value in values)
    return f"{shown} {'%' if comparison['relative'] else 'points'}"


def _guardrails(variant: Json) -> Iterator[str]:
    for guardrail in variant["metrics"]["guardrails"]:
        if guardrail["passed"] is not None:
            verdict = "lost" if guardrail["lost"] else "holds" if guardrail["passed"] else "undecided"
            yield f"{guardrail['metric']} {verdict}"
