"""Parse the age for `llmbench prune`, and format the command's output."""

import re

from rich.table import Table
from rich.text import Text

from llmbench_cli.client import Json
from llmbench_cli.errors import CommandFailed
from llmbench_cli.runs.result_tables import plain_table, short_id
from llmbench_cli.runs.words import NONE, moment

_SHOWN = 20
_DAYS = {"": 1.0, "d": 1.0, "w": 7.0, "h": 1 / 24}
_AGE = re.compile(r"(\d+(?:\.\d+)?)\s*([dwh]?)")
_REASONS = {
    "not_over": "not over",
    "too_young": "not old enough",
    "baseline": "a baseline",
    "promoted": "promoted to a baseline",
    "compared": "compared with a baseline",
}


def age_in_days(text: str) -> float:
    """Parse an age, and return it in days; a bare number means days. Raises CommandFailed for any other text, and for
    an age of 0.

    >>> age_in_days("30d"), age_in_days("2w"), age_in_days("12h"), age_in_days("7")
    (30.0, 14.0, 0.5, 7.0)
    >>> age_in_days("soon")
    Traceback (most recent call last):
    llmbench_cli.errors.CommandFailed: 'soon' is no age: write 30d (days), 6w (weeks) or 12h (hours)
    """
    found = _AGE.fullmatch(text.strip().lower())
    days = float(found[1]) * _DAYS[found[2]] if found else 0.0
    if not days:
        raise CommandFailed(f"'{text}' is no age: write 30d (days), 6w (weeks) or 12h (hours)")
    return days


def summary(found: Json, orphans: int) -> str:
    """Return how much would be removed, and how many runs stay and why. `found` is the response of `GET
    /api/retention`, `orphans` the number of orphaned uploads.

    >>> print(summary({"removable_runs": 1, "removable_items": 40, "older_than_days": 30.0,
    ...     "kept_runs": [{"reason": "baseline", "runs": 2}]}, 1))
    To be removed: 1 run with 40 items, over for more than 30 days; 1 orphaned upload.
    Kept: 2 (a baseline).
    """
    runs = found["removable_runs"]
    kept = ", ".join(
        f"{group['runs']} ({_REASONS.get(group['reason'], group['reason'])})" for group in found["kept_runs"]
    )
    return (
        f"To be removed: {runs} run{'' if runs == 1 else 's'} with {found['removable_items']} items, "
        f"over for more than {_age(found['older_than_days'])}; {orphans} orphaned upload{'' if orphans == 1 else 's'}."
        f"\nKept: {kept or 'none'}."
    )


def _age(days: float) -> str:
    """Return an age with its unit.

    >>> _age(30.0), _age(1.0), _age(0.5)
    ('30 days', '1 day', '12 hours')
    """
    if days < 1:
        return f"{days * 24:.3g} hours"
    return f"{days:.4g} day{'' if days == 1 else 's'}"


def tables(found: Json) -> list[Table]:
    """Return a table of the runs that would be removed, and a table of the runs that are kept at any age. Each table
    shows at most 20 runs; a table without runs is left out."""
    shown: list[Table] = []
    if found["removable"]:
        gone = plain_table("To be removed")
        for name in ("run", "over since", "items", "name"):
            gone.add_column(name, overflow="fold")
        for run in found["removable"][:_SHOWN]:
            gone.add_row(short_id(run["id"]), _day(run["finished_at"]), str(run["items"]), Text(run["name"]))
        if found["removable_runs"] > _SHOWN:
            gone.add_row("…", "", "", f"{found['removable_runs'] - _SHOWN} more")
        shown.append(gone)
    held = [run for run in found["kept"] if run["reason"] not in ("too_young", "not_over")]
    if held:
        kept = plain_table("Kept, whatever their age")
        for name in ("run", "over since", "name and why"):
            kept.add_column(name, overflow="fold")
        for run in held[:_SHOWN]:
            why = Text(run["name"]).append(f"\n{run['why']}", style="dim")
            kept.add_row(short_id(run["id"]), _day(run["finished_at"]), why)
        shown.append(kept)
    return shown


def removed_line(run: Json) -> str:
    """Return the line that `llmbench prune` prints about a removed run."""
    return f"removed {run['name']} ({run['id']}, {run['items']} items)"


def _day(text: str | None) -> str:
    at = moment(text)
    return NONE if at is None else f"{at:%Y-%m-%d}"
