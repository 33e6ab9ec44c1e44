"""Why items failed: by cause, the most frequent first, or each of them. Pure."""

from collections import defaultdict

from rich.table import Table
from rich.text import Text

from llmbench_cli.client import Json
from llmbench_cli.runs.result_tables import plain_table

_CAUSES = 10
_NAMED = 3


def by_cause(items: list[Json]) -> Table:
    """Return failures with the same phase, kind and message as one row."""
    causes: dict[tuple[str, str, str], list[Json]] = defaultdict(list)
    for item in items:
        failure = item["failure"]
        causes[failure["phase"], failure["kind"], failure["message"]].append(item)
    table = _table(f"Failed: {len(items)} (each with --failed)", "items")
    ranked = sorted(causes.values(), key=len, reverse=True)
    for failed in ranked[:_CAUSES]:
        tasks = list(dict.fromkeys(item["task_id"] for item in failed))
        labels = ", ".join(dict.fromkeys(item["target_label"] for item in failed))
        named = f"{', '.join(tasks[:_NAMED])}{' …' if len(tasks) > _NAMED else ''}"
        _row(table, len(failed), failed[0], f"{labels}: {named}")
    if len(ranked) > _CAUSES:
        table.add_row(str(sum(map(len, ranked[_CAUSES:]))), f"{len(ranked) - _CAUSES} other causes")
    return table


def every(items: list[Json]) -> Table:
    """Return one row per failed item."""
    table = _table(f"Failed: {len(items)}", "attempts")
    for item in items:
        epoch = f" (epoch {item['epoch']})" if item["epoch"] > 1 else ""
        _row(table, item["attempts"], item, f"{item['target_label']}: {item['task_id']}{epoch}")
    return table


def _row(table: Table, count: int, item: Json, where: str) -> None:
    failure = item["failure"]
    phase = "judging, " if failure["phase"] == "JUDGING" else ""
    why = Text(f"{phase}{failure['kind'].replace('_', ' ')}: {failure['message']}")
    table.add_row(str(count), why.append(f"\n{where}", style="dim"))


def _table(title: str, count: str) -> Table:
    table = plain_table(title)
    table.add_column(count, justify="right", no_wrap=True)
    table.add_column("why, and where", overflow="fold")
    return table
