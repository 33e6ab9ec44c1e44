"""Why items failed: by cause, the most frequent first, or each of them. Pure."""

from collections import defaultdict

from rich import box
from rich.table import Table

from llmbench_cli.client import Json

_CAUSES = 10
_NAMED = 3


def by_cause(items: list[Json]) -> Table:
    """Return failures with the same phase, kind and message as one row."""
    causes: dict[tuple[str, str, str], list[Json]] = defaultdict(list)
    for item in items:
        failure = item["failure"]
        causes[failure["phase"], failure["kind"], failure["message"]].append(item)
    table = _table(f"Failed: {len(items)} (each with --failed)", "items", "why", "where")
    ranked = sorted(causes.items(), key=lambda cause: -len(cause[1]))
    for (phase, kind, message), failed in ranked[:_CAUSES]:
        tasks = list(dict.fromkeys(item["task_id"] for item in failed))
        where = ", ".join(dict.fromkeys(item["target_label"] for item in failed))
        named = f"{', '.join(tasks[:_NAMED])}{' …' if len(tasks) > _NAMED else ''}"
        table.add_row(str(len(failed)), f"{_kind(phase, kind)}: {message}", f"{where}: {named}")
    if len(ranked) > _CAUSES:
        rest = sum(len(failed) for _, failed in ranked[_CAUSES:])
        table.add_row(str(rest), f"{len(ranked) - _CAUSES} other causes", "")
    return table


def every(items: list[Json]) -> Table:
    """Return one row per failed item."""
    table = _table(f"Failed: {len(items)}", "attempts", "why", "where")
    for item in items:
        failure = item["failure"]
        epoch = f" (epoch {item['epoch']})" if item["epoch"] > 1 else ""
        table.add_row(
            str(item["attempts"]),
            f"{_kind(failure['phase'], failure['kind'])}: {failure['message']}",
            f"{item['target_label']}: {item['task_id']}{epoch}",
        )
    return table


def _kind(phase: str, kind: str) -> str:
    return f"{'judging, ' if phase == 'JUDGING' else ''}{kind.replace('_', ' ')}"


def _table(title: str, count: str, *others: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(count, justify="right", no_wrap=True)
    for other in others:
        table.add_column(other, overflow="fold")
    return table
