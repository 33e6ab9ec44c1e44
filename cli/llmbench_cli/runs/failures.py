"""Show why items failed: by cause, the most frequent first, or one by one."""

from rich.table import Table
from rich.text import Text

from llmbench_cli.client import Json
from llmbench_cli.runs.result_tables import plain_table

_CAUSES = 10


def by_cause(found: Json) -> Table:
    """Return a table with a row for each of the ten most frequent pairs of phase and cause, with the messages and where
    they occurred. A last row counts the rest."""
    table = _table(f"Failed: {found['items']} (each with `llmbench show --failed`)", "items")
    ranked = found["causes"]
    for cause in ranked[:_CAUSES]:
        more = " …" if cause["items"] > len(cause["task_ids"]) else ""
        where = f"{', '.join(cause['targets'])}: {', '.join(dict.fromkeys(cause['task_ids']))}{more}"
        _row(
            table, cause["items"], _name(cause["phase"], cause["cause"]), [*_messages(cause), Text(where, style="dim")]
        )
    if len(ranked) > _CAUSES:
        left = sum(cause["items"] for cause in ranked[_CAUSES:])
        table.add_row(str(left), f"{len(ranked) - _CAUSES} other causes")
    return table


def _messages(cause: Json) -> list[Text]:
    """Return the messages of a cause of failures, with their counts if there are several."""
    several = cause["message_count"] > 1
    messages = [
        Text(f"{_times(entry['items'])}: {entry['message']}" if several else entry["message"])
        for entry in cause["messages"]
    ]
    more = cause["message_count"] - len(messages)
    return messages + ([Text(f"and {more} other messages", style="dim")] if more else [])


def _times(count: int) -> str:
    """Return a number of occurrences in words.

    >>> _times(1), _times(12)
    ('once', '12 times')
    """
    return "once" if count == 1 else f"{count} times"


def every(items: list[Json]) -> Table:
    """Return a table with a row per failed item: its attempts, the cause, the message and where it occurred."""
    table = _table(f"Failed: {len(items)}", "attempts")
    for item in items:
        epoch = f" (epoch {item['epoch']})" if item["epoch"] > 1 else ""
        failure, where = item["failure"], Text(f"{item['target_label']}: {item['task_id']}{epoch}", style="dim")
        name = _name(failure["phase"], failure.get("cause") or failure["kind"])
        _row(table, item["attempts"], name, [Text(failure["message"]), where])
    return table


def _name(phase: str, cause: str) -> str:
    return f"{'judging, ' if phase == 'JUDGING' else ''}{cause.replace('_', ' ')}"


def _row(table: Table, count: int, name: str, lines: list[Text]) -> None:
    table.add_row(str(count), Text(f"{name}: ").append_text(Text("\n").join(lines)))


def _table(title: str, count: str) -> Table:
    table = plain_table(title)
    table.add_column(count, justify="right", no_wrap=True)
    table.add_column("why, and where", overflow="fold")
    return table
