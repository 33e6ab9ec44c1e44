"""Tables of a suite's leaderboard."""

from typing import TYPE_CHECKING, Final

from llmbench_cli.client import Json
from llmbench_cli.runs.result_tables import plain_table
from llmbench_cli.runs.words import dollars, milliseconds, number, pace, with_interval

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

_DIFFERS: Final = {
    "version": "another version of the suite",
    "cases": "other cases",
    "judge": "another judge",
    "evaluators": "other evaluators",
}


def list_table(name: str, listed: Json) -> "Table":
    """Return a table of `listed`, the results of a leaderboard that can be compared with each other. It has one row per
    target, the best first."""
    title = f"{name} v{listed['version_number']}"
    if listed["judges"]:
        title += f", judged by {', '.join(listed['judges'])}"
    if listed["differs"]:
        title += f" (not comparable with the first table: {', '.join(_DIFFERS[each] for each in listed['differs'])})"
    shown = plain_table(title)
    shown.add_column("rank", justify="right", no_wrap=True)
    shown.add_column("target", overflow="fold", min_width=12)
    shown.add_column("provider", overflow="fold")
    for column in ("score", "scored", "cost", "time", "tokens", "finished"):
        shown.add_column(column, justify="right", no_wrap=True)
    for entry in listed["entries"]:
        shown.add_row(
            rank(entry),
            entry["label"],
            entry["provider_name"],
            with_interval(entry["score"], entry["interval"]),
            f"{entry['scored']}/{entry['items']}",
            dollars(entry["cost_usd"]),
            milliseconds(entry["mean_time_ms"]),
            pace(entry["mean_tokens_per_second"]),
            entry["finished_at"][:10],
        )
    return shown


def rank(entry: Json) -> str:
    """Format the ranks that an entry of the leaderboard may have, one number or a range.

    >>> rank({"rank_low": 1, "rank_high": 1}), rank({"rank_low": 2, "rank_high": 4})
    ('1', '2 to 4')
    """
    low, high = entry["rank_low"], entry["rank_high"]
    return str(low) if low == high else f"{low} to {high}"


def head_to_head(found: Json) -> "RenderableType":
    """Return a table that ranks the targets by pairwise comparisons of their answers, or the reason why there is
    none."""
    if found["reason"] is not None:
        return f"Head to head: {found['reason']}"
    shown = plain_table("Head to head with the reference answers (Bradley-Terry, logit scale)")
    shown.add_column("rank", justify="right", no_wrap=True)
    shown.add_column("player", overflow="fold", min_width=12)
    for column in ("strength", "95 %", "games"):
        shown.add_column(column, justify="right", no_wrap=True)
    for player in found["players"]:
        interval = player["interval"]
        between = "-" if interval is None else f"{interval['low']:.2f} to {interval['high']:.2f}"
        shown.add_row(rank(player), player["label"], number(player["strength"]), between, str(player["games"]))
    return shown


def notes(found: Json) -> list[str]:
    """Return the sentences below the tables: which targets and runs are left out, and notes on listed targets."""
    said = [
        f"{each['label']} is not listed: {each['reason']}" for listed in found["lists"] for each in listed["not_listed"]
    ]
    said += [
        f"{each['label']}: {each['note']}" for listed in found["lists"] for each in listed["entries"] if each["note"]
    ]
    if not found["lists"]:
        said.append("no finished run of this suite fits: `llmbench suites run` starts one")
    if found["more"]:
        said.append("only the newest runs are shown; --version, --provider and --since choose others")
    return said
