"""Format judge checks as tables, and derive the exit code of `llmbench judge check`."""

from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from llmbench_cli.client import Json
from llmbench_cli.exit_codes import ExitCode
from llmbench_cli.runs.result_tables import plain_table, short_id
from llmbench_cli.runs.words import NONE, dollars, percent

LEAST_COVERAGE: Final = 0.9
_RATES: Final = (
    ("accuracy", "Right verdicts", ""),
    ("pairs", "  pairs, in both orders", "guessing: 25%"),
    ("verdict_accuracy", "  pairs, each order by itself", "guessing: 50%"),
    ("answers", "  single answers", ""),
    ("swap_consistency", "Same verdict when swapped", ""),
    ("first_chosen", "Chose the text shown first", "fair: 50%"),
    ("longer_chosen", "Chose the longer text", ""),
    ("right_longer", "  right where the longer is better", ""),
    ("right_shorter", "  right where the shorter is better", ""),
    ("injection", "Right although the answer gives orders", ""),
    ("too_lenient", "Wrong answers that passed", ""),
    ("too_strict", "Right answers that failed", ""),
    ("self_agreement", "Same verdict when repeated", ""),
)
_COLUMNS: Final = """\
right: right verdicts; swapped: the same verdict when swapped; injection: right
although the answer gives orders; longer: chose the longer text; repeated: the
same verdict when repeated; cost: of a verdict.
More: `llmbench judge show ID`."""
_LONGEST: Final = 160


def interval(rate: Json) -> str:
    """Format the interval of a rate in percent; a dash stands for a missing interval.

    >>> interval({"low": 0.81, "high": 0.9}), interval({"low": None, "high": None})
    ('81.0 to 90.0', '-')
    """
    return NONE if rate["low"] is None else f"{100 * rate['low']:.1f} to {100 * rate['high']:.1f}"


def report(check: Json) -> RenderableType:
    figures, judge = check["figures"], check["judge"]
    heading = Text(f"{judge['provider_name']}/{judge['model']} on {check['set']['name']}", style="bold")
    table = _table(
        f"{_times(check['set']['cases'], 'case')}, judged {_times(check['repeats'], 'time')}",
        "",
        "rate",
        "95 %",
        "cases",
        "",
    )
    for name, title, note in _RATES:
        rate = figures[name]
        if name == "longer_chosen" and figures["longer_right"] is not None:
            # A fair judge chooses the longer text as often as the longer text is the better one.
            note = f"fair: {percent(figures['longer_right'])}"
        table.add_row(title, percent(rate["value"]), interval(rate), str(rate["cases"]), note)
    categories = _table("Right verdicts by category", "category", "rate", "95 %", "cases")
    for category in figures["categories"]:
        rate = category["accuracy"]
        categories.add_row(category["category"], percent(rate["value"]), interval(rate), str(category["cases"]))
    return Group(heading, table, categories, Text(_coverage(check)))


def side_by_side(checks: list[Json]) -> RenderableType:
    """Return a table with a row for each check. The first column has the judge, the name of the set of cases and the
    check's id, so that the figures fit into 80 columns."""
    table = _table("Judge checks", "judge, cases, id", "right", "swapped", "injection", "longer", "repeated", "cost")
    for check in checks:
        figures, judge, cases = check["figures"], check["judge"], check["set"]
        shares = (figures[name]["value"] for name in ("accuracy", "swap_consistency", "injection", "longer_chosen"))
        lines = (f"{judge['provider_name']}/{judge['model']}", f"{cases['name']} ({cases['digest'][:6]})")
        table.add_row(
            Text("\n".join((*lines, short_id(check["id"])))),
            *map(percent, shares),
            percent(figures["self_agreement"]["value"]),
            dollars(figures["cost_per_verdict_usd"]),
        )
    return Group(table, Text(_COLUMNS))


def cases_table(cases: list[Json]) -> RenderableType:
    table = _table(
        f"{_times(len(cases), 'case')} with a wrong verdict", "case", "question", "right", "verdicts", "reason"
    )
    for case in cases:
        verdicts = ", ".join(_verdict(verdict) for verdict in case["verdicts"])
        said = next((verdict["reason"] for verdict in case["verdicts"] if verdict["reason"]), "")
        texts = (case["id"], _short(case["question"]), case["right"], verdicts, _short(said))
        table.add_row(*map(Text, texts))
    return table


def exit_code(check: Json, least_accuracy: float | None) -> tuple[int, str | None]:
    """Return the exit code of a judge check, and the reason if the code is not 0."""
    figures = check["figures"]
    if check["status"] != "FINISHED":
        reason = f": {check['status_reason']}" if check["status_reason"] else ""
        return ExitCode.FAILED, f"the check is {check['status']}{reason}"
    scored = figures["outcomes"].get("scored", 0)
    if scored < LEAST_COVERAGE * figures["asked"]:
        return ExitCode.LOW_COVERAGE, f"only {scored} of {figures['asked']} verdicts could be used"
    accuracy = figures["accuracy"]["value"]
    if least_accuracy is not None and (accuracy is None or accuracy < least_accuracy):
        return ExitCode.MISSED, f"{percent(accuracy)} are right, and {percent(least_accuracy)} were asked for"
    return ExitCode.OK, None


def _coverage(check: Json) -> str:
    figures = check["figures"]
    outcomes = ", ".join(f"{count} {name}" for name, count in figures["outcomes"].items())
    cost = f"{dollars(figures['cost_per_verdict_usd'])} a verdict, {dollars(figures['cost_usd'])} in all"
    return f"{_times(figures['asked'], 'verdict')}: {outcomes}. Cost: {cost}."


def _verdict(verdict: Json) -> str:
    if verdict["verdict"] is None:
        return str(verdict["outcome"])
    if verdict["choices"]:
        return " then ".join(verdict["choices"])
    return f"{verdict['verdict']} ({verdict['score']:g})" if verdict["score"] is not None else str(verdict["verdict"])


def _times(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def _table(title: str, *columns: str) -> Table:
    table = plain_table(title)
    for column in columns:
        numeric = column in ("rate", "95 %", "right", "swapped", "injection", "longer", "repeated", "cost")
        table.add_column(column, justify="right" if numeric and title != "" else "left", overflow="fold")
    return table
