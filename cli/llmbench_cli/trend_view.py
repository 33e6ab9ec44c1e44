"""Tables of `llmbench trends`: the runs of each target, with a line wherever their scores are not comparable."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from llmbench_cli.client import Json
from llmbench_cli.runs.result_tables import plain_table, short_id
from llmbench_cli.runs.words import dollars, milliseconds, moment, pace, with_interval

if TYPE_CHECKING:
    from rich.console import RenderableType

BREAKS: Final = {
    "model": "another model",
    "prompt": "another prompt",
    "parameters": "other parameters",
    "cases": "other cases or dataset versions",
    "suite": "another version or other tasks of the suite",
    "judge": "another judge",
    "evaluators": "other evaluators",
}
_COLUMNS: Final = ("run", "created", "score", "passed", "scored", "cost each", "time", "tokens")
_TO_THE_LEFT: Final = 2


def series(found: Json) -> Iterator["RenderableType"]:
    """Yield a table for each target label, the oldest run first."""
    for each in found["series"]:
        yield _table(f"{each['label']} (95 % intervals)", each["points"])


def _table(heading: str, points: Sequence[Json]) -> "RenderableType":
    """Return a table with a row per run. A line divides the table between two runs whose scores are not comparable,
    and names the changes. The parts have equal column widths."""
    from rich.console import Group
    from rich.text import Text

    rows = [_row(point) for point in points]
    widths = [max(len(cells[at]) for cells in [_COLUMNS, *rows]) for at in range(len(_COLUMNS))]
    parts: list[RenderableType] = []
    begun = 0
    for at in range(1, len(points) + 1):
        if at < len(points) and not points[at]["breaks"]:
            continue
        parts.append(_part(heading if begun == 0 else "", widths, rows[begun:at], has_head=begun == 0))
        if at < len(points):
            parts.append(Text(f"── {break_words(points[at]['breaks'])}: not comparable", style="yellow"))
        begun = at
    return Group(*parts, Text(""))


def _part(heading: str, widths: Sequence[int], rows: Sequence[Sequence[str]], *, has_head: bool) -> "RenderableType":
    shown = plain_table(heading)
    shown.show_header = has_head
    for at, (name, width) in enumerate(zip(_COLUMNS, widths, strict=True)):
        shown.add_column(name, justify="left" if at < _TO_THE_LEFT else "right", min_width=width, no_wrap=True)
    for cells in rows:
        shown.add_row(*cells)
    return shown


def break_words(breaks: Sequence[str]) -> str:
    """Return what changed between two runs, in words.

    >>> break_words(["prompt", "judge"])
    'another prompt, another judge'
    """
    return ", ".join(BREAKS.get(each, each) for each in breaks)


def _row(point: Json) -> tuple[str, ...]:
    created = moment(point["at"])
    cost = None if point["cost_usd"] is None or not point["priced"] else point["cost_usd"] / point["priced"]
    return (
        short_id(point["run_id"]),
        f"{created:%Y-%m-%d %H:%M}" if created else "",
        with_interval(point["mean_score"], point["mean_score_interval"]) + ("*" if point["completeness"] else ""),
        with_interval(point["pass_rate"], point["pass_rate_interval"]),
        f"{point['scored']}/{point['items']}",
        dollars(cost),
        milliseconds(point["mean_time_ms"]),
        pace(point["mean_tokens_per_second"]),
    )


def notes(found: Json, *, is_suite: bool) -> list[str]:
    """Return the notes below the tables: scores that do not cover all tasks of the suite, and runs that are left out.
    A note also says so if there is no finished run."""
    incomplete = Counter(
        (each["label"], point["completeness"])
        for each in found["series"]
        for point in each["points"]
        if point["completeness"]
    )
    said = [
        f"* {label}: {sentence}" if runs == 1 else f"* {label}, {runs} runs: {sentence}"
        for (label, sentence), runs in incomplete.items()
    ]
    if not found["series"]:
        named = f"suite '{found['name']}'" if is_suite else f"name '{found['name']}'"
        said.append(f"no finished run has the {named}; `llmbench trends` lists those that have")
    if found["more"]:
        said.append(f"only the newest {found['runs']} runs are shown; --limit shows more")
    return said


def names(found: Json) -> Iterator["RenderableType"]:
    """Yield a table of the names that several finished runs share, and one of the suites with several finished runs. A
    table without rows is left out."""
    for heading, listed in (("Names of runs", found["items"]), ("Suites (--suite)", found["suites"])):
        if not listed:
            continue
        shown = plain_table(heading)
        shown.add_column("name", overflow="fold", min_width=12)
        shown.add_column("runs", justify="right", no_wrap=True)
        shown.add_column("last run", no_wrap=True)
        for each in listed:
            last = moment(each["last_at"])
            shown.add_row(each["name"], str(each["runs"]), f"{last:%Y-%m-%d %H:%M}" if last else "")
        yield shown


def notes_on_names(found: Json) -> list[str]:
    """Return a list with a sentence on how to get a trend, if no name and no suite has two finished runs yet; otherwise
    an empty list."""
    if found["items"] or found["suites"]:
        return []
    return ["no name and no suite has two finished runs yet: give runs that belong together the same name"]
