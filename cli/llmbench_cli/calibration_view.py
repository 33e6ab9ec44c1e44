"""Format calibrations for a terminal: how far a judge agrees with people, and the judge's results after correction by
people's labels."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from llmbench_cli.runs.result_tables import plain_table
from llmbench_cli.runs.words import NONE, number

if TYPE_CHECKING:
    from rich.table import Table

Json = dict[str, Any]

_ROWS = (
    ("kappa", "quadratic kappa"),
    ("spearman", "Spearman"),
    ("bias", "bias"),
    ("exact", "same level"),
    ("within_one", "at most one apart"),
    ("sensitivity", "sensitivity"),
    ("specificity", "specificity"),
)


def calibration_table(calibrations: list[Json]) -> "Table":
    shown = plain_table("")
    for name in ("calibration", "judge", "run"):
        shown.add_column(name, overflow="fold", min_width=8)
    for name in ("labels", "kappa", "people"):
        shown.add_column(name, justify="right", no_wrap=True)
    for each in calibrations:
        shown.add_row(
            each["name"],
            _judge(each),
            each["run_name"],
            f"{each['labels']:,}",
            _measure(each["kappa"]),
            number(each["ceiling"]["value"], "{:.2f}"),
        )
    return shown


def heading(calibration: Json) -> Iterator[str]:
    """Yield lines that name the calibration, its judge and its run, and count the answers, labels and people. Then
    yield a line per target: the pass rate as corrected by the labels, or the reason why it is not corrected."""
    yield f"{calibration['name']} ({calibration['id']})"
    people = calibration["annotators"]
    yield (
        f"{_judge(calibration)} on {calibration['run_name']}: {calibration['answers']:,} answers, "
        f"{calibration['labels']:,} labels of {people:,} {'person' if people == 1 else 'people'}"
    )
    for each in calibration["corrected"]:
        rate = each["pass_rate"]
        if rate is None:
            yield f"{each['target']}: not corrected, {each['undefined_because']}"
        else:
            interval = "" if rate["low"] is None else f" ({max(0.0, rate['low']):.1%} to {min(1.0, rate['high']):.1%})"
            value = min(1.0, max(0.0, rate["value"]))
            yield f"{each['target']}: the judge passes {rate['raw']:.1%}, corrected {value:.1%}{interval}"
    for each in calibration["figures"]["transported"]:
        yield f"{each['target']}: the judge passes {each['raw']:.1%}, {_transported(each)}"


def _transported(target: Json) -> str:
    if target["value"] is None:
        return f"not corrected: {target['undefined_because']}"
    interval = "" if target["low"] is None else f" ({target['low']:.1%} to {target['high']:.1%})"
    return f"corrected {target['value']:.1%}{interval} if it errs on all answers as on the labelled ones"


def plan_lines(planned: Json, *, width: float, budget: float | None) -> Iterator[str]:
    """Yield a line that says how many labels and verdicts an interval of ± `width` needs, and what they cost. The
    interval is that of the judge's corrected figure. If `budget` is given, yield a line about the best way to spend it.
    If one of these plans is not possible, its line gives the reason."""
    if planned["for_width"] is None:
        yield f"± {width:g} is not possible: {planned['width_impossible_because']}"
    else:
        yield f"for ± {width:g}: {_plan(planned['for_width'])}"
    if budget is None:
        return
    if planned["for_budget"] is None:
        hint = "" if planned["judge_cost"] > 0 else " (--judge-cost)"
        yield f"the budget of {budget:,.2f} can't be planned: {planned['budget_impossible_because']}{hint}"
    else:
        yield f"the budget of {budget:,.2f} is best spent on {_plan(planned['for_budget'])}"


def _plan(plan: Json) -> str:
    return (
        f"{plan['labels']:,} labels and {plan['others']:,} further verdicts, at a cost of {plan['cost']:,.2f} "
        f"(people {plan['cost_of_people']:,.2f}, judge {plan['cost_of_judge']:,.2f}); "
        f"as precise as {plan['effective_labels']:,} labels without a judge"
    )


def figures_table(calibration: Json) -> "Table":
    figures = calibration["figures"]
    shown = plain_table("")
    shown.add_column("measure", no_wrap=True)
    for name in ("judge", "people"):
        shown.add_column(name, justify="right", overflow="fold")
    for name, title in _ROWS:
        shown.add_row(title, _measure(figures["judge"][name]), _measure(figures["people"][name]))
    shown.add_row("alpha", _measure(figures["alpha_with_judge"]), _measure(figures["alpha_of_people"]))
    return shown


def _judge(calibration: Json) -> str:
    judge = calibration["judge"]
    return judge["title"] if judge["judge_model"] is None else f"{judge['title']} by {judge['judge_model']}"


def _measure(measure: Json) -> str:
    if measure["value"] is None:
        return measure["undefined_because"] or NONE
    interval = "" if measure["low"] is None else f" ({measure['low']:.2f} to {measure['high']:.2f})"
    return f"{measure['value']:.2f}{interval}"
