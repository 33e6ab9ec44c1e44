"""What `llmbench compare` asks for, shows, and makes of it."""

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from llmbench_cli.client import Client, Json
from llmbench_cli.errors import CommandFailed
from llmbench_cli.runs.names import run_id
from llmbench_cli.runs.result_tables import plain_table, short_id
from llmbench_cli.runs.verdict import MISSED, OTHERWISE, PASSED
from llmbench_cli.runs.words import NONE, with_interval

_COLOURS = {"better": "green", "worse": "red", "low coverage": "yellow"}
_LOW_COVERAGE = "low coverage"
_COUNTS = "better /\nworse / equal"


async def chosen(client: Client, runs: Sequence[str]) -> Json:
    """Return the body of the request. One run alone is compared with its baseline, else its targets with the first."""
    ids = [await run_id(client, run) for run in runs]
    if len(ids) > 1:
        return {"run_ids": ids}
    run = await client.get(f"/api/runs/{ids[0]}")
    if run["baseline_run_id"]:
        return {"run_ids": [run["baseline_run_id"], ids[0]]}
    if len(run["targets"]) > 1:
        return {"columns": [{"run_id": ids[0], "target_id": target["id"]} for target in run["targets"]]}
    raise CommandFailed(f"'{runs[0]}' has one target and no baseline run: name another run to compare it with")


def table(found: Json) -> Table:
    """One row per column: figures of its own, then what it is against the baseline."""
    shown = plain_table("Compared case by case (95 % intervals)")
    shown.add_column("target", overflow="fold", min_width=12)
    for name in ("score", "difference", _COUNTS, "passed"):
        shown.add_column(name, justify="right", no_wrap=True)
    shown.add_column("verdict", overflow="fold", min_width=20)
    against = {one["column"]: one for one in found["comparisons"]}
    for at, column in enumerate(found["columns"]):
        figures = column["figures"]
        shown.add_row(
            f"{column['label']}\n{short_id(column['run_id'])}",
            with_interval(figures["mean_score"], figures["mean_score_interval"]),
            *(_against(against[at]) if at in against else ("", "", *_passed(figures), "baseline")),
        )
    return shown


def by_evaluator(found: Json) -> list[Table]:
    """One row per column and evaluator that it shares with the baseline; none where one makes the whole score."""
    rows = [(found["columns"][one["column"]]["label"], by) for one in found["comparisons"] for by in one["evaluators"]]
    if not rows:
        return []
    shown = plain_table("By evaluator (those in brackets only inform)")
    for name in ("target", "evaluator"):
        shown.add_column(name, overflow="fold", min_width=10)
    for name in ("difference", _COUNTS):
        shown.add_column(name, justify="right", no_wrap=True)
    shown.add_column("verdict", overflow="fold")
    for label, by in rows:
        difference, counts, verdict = _score(by["score"])
        shown.add_row(label, by["name"] if by["gates"] else f"({by['name']})", difference, counts, verdict)
    return [shown]


def winner(found: Json) -> Text:
    """Return who is better than each other and not by chance, or why nobody is said to be.

    >>> print(winner({"winner": None, "winner_reason": "Two judges."}))
    No winner: Two judges.
    """
    if found["winner"] is None:
        return Text(f"No winner: {found['winner_reason']}")
    columns = [column for one in found["comparisons"] for column in one["columns"]]
    named = next(
        column
        for column in columns
        if column["run_id"] == found["winner"] and found["winner_target_id"] in (None, column["target_id"])
    )
    target = f"{named['label']} of " if found["winner_target_id"] else ""
    return Text(f"Winner: {target}{named['run_name']} ({short_id(named['run_id'])})", style="green")


def judged(found: Json) -> tuple[int, list[str]]:
    """Return the exit code and the reasons for it. What is not known is no pass.

    >>> lacking = {"score": None, "note": "Two judges.", "column": 1, "withheld": None}
    >>> judged({"regressed": False, "margin": 0, "comparisons": [{"comparisons": [lacking], "regressed": []}]})
    (1, ['Two judges.'])
    """
    unlike = [
        reason for each in found["comparisons"] for one in each["comparisons"] if (reason := _untold(one)) is not None
    ]
    worse = [label for each in found["comparisons"] for label in each["regressed"]]
    if worse:
        margin = f" by more than {found['margin']:g}" if found["margin"] else ""
        return MISSED, [f"{', '.join(worse)}: worse than the baseline{margin}", *unlike]
    return (OTHERWISE if unlike else PASSED), unlike


def _untold(one: Json) -> str | None:
    """Return why nothing can be said of a column."""
    if one["withheld"]:
        return str(one["withheld"])
    if one["score"] is None or not one["score"]["cases"]:
        return one["note"] or "no case is scored in both"
    if one["score"]["verdict"] == _LOW_COVERAGE:
        return (
            f"only {one['coverage']:.0%} of the {one['cases_in_both']} cases that both have are scored in both: what "
            "is missing may be what differs (`llmbench retry` tries it again)"
        )
    return None


def _against(one: Json) -> tuple[str | Text, ...]:
    score, passes = one["score"], one["passes"]
    if score is None:
        return NONE, NONE, NONE, one["note"]
    difference, counts, verdict = _score(score)
    if score["verdict"] == _LOW_COVERAGE:
        verdict.append(f": {one['coverage']:.0%} of the cases that both have")
    return difference, counts, f"+{passes['gained']} -{passes['lost']}", verdict


def _score(score: Json) -> tuple[str, str, Text]:
    verdict = score["verdict"]
    if verdict is None:
        words = "not over"
    elif verdict == _LOW_COVERAGE:
        words = verdict
    else:
        words = f"{verdict} in {score['cases']} cases"
    if score["clusters_needed"]:
        noun = "" if score["clusters"] == score["cases"] else " clusters"
        words += f"; {score['clusters_needed']}{noun} would tell"
    return (
        with_interval(score["mean"], score["simultaneous"]),
        f"{score['better']} / {score['worse']} / {score['equal']}",
        Text(words, style=_COLOURS.get(verdict, "")),
    )


def _passed(figures: Json) -> tuple[str]:
    return (with_interval(figures["pass_rate"], None, percent=True),)
