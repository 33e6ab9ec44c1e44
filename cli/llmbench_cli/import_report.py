"""Print the platform's report about an imported file of tasks, test cases or outputs: as a table on a terminal,
otherwise as plain lines."""

from typing import Any

import yaml
from rich.console import Console
from rich.table import Table
from rich.text import Text

Json = dict[str, Any]
_CHANGES = ("created", "updated", "unchanged", "skipped")


def show_result(console: Console, result: Json, *, file: str) -> None:
    """Print the result of importing tasks, or what a dry run would import. `file` is the name that precedes line
    numbers."""
    _places(console, "Bad rows", result["bad_rows"], result["bad_row_count"], file=file, colour="red")
    _places(console, "Not carried over", result["notes"], result["note_count"], file=file, colour="yellow")
    if result["dry_run"]:
        _preview(console, result["preview"], file=file)
    counted = [f"{result[change]} {change}" for change in _CHANGES if result[change]]
    if result["bad_row_count"]:
        counted.append(f"{result['bad_row_count']} bad")
    what = "Would be imported" if result["dry_run"] else "Imported"
    mark = Text("✓ ", "green") if not result["bad_row_count"] else Text("! ", "yellow")
    line = Text.assemble(mark, (f"{what}: ", "bold"), ", ".join(counted), f" of {result['row_count']} rows")
    console.print(line, soft_wrap=True)
    collection = result["collection"]
    if collection:
        made = "new collection" if collection["created"] else "collection"
        console.print(Text(f"  {collection['added']} added to the {made} {collection['name']}"), soft_wrap=True)
    _evaluators(console, result.get("evaluators") or [])


def _evaluators(console: Console, evaluators: list[Json]) -> None:
    """Print the evaluators that score the tasks as the imported file does, as lines to copy into a run file."""
    if not evaluators:
        return
    written = yaml.safe_dump({"evaluators": evaluators}, sort_keys=False, allow_unicode=True, default_flow_style=None)
    console.print(Text("  To score them as the file does, a run file has:"), soft_wrap=True)
    console.print(Text(written.rstrip()), soft_wrap=True)


def show_columns(console: Console, version: Json, *, file: str) -> None:
    """Print each column of the file that was mapped to a field of another name, then the warnings about the file.
    `version` is the platform's response about the imported file."""
    for column in version.get("mapping") or []:
        if column["by"] != "name":
            console.print(
                Text(f"  {column['column']} → {column['field']}", "dim" if column["by"] == "other" else ""),
                soft_wrap=True,
            )
    for warning in version.get("warnings") or []:
        console.print(Text.assemble(("! ", "yellow"), f"{file}: {warning}"), soft_wrap=True)


_SKIP = "Correct them, or import the others with --skip-bad-rows."
_EXISTS = "exists already"
_REPLACE = "`--on-conflict update` replaces tasks that exist, `skip` keeps them."


def show_refusal(console: Console, problem: Json, *, file: str, hint: str = _SKIP, done: str = "imported") -> None:
    """Print why a file was refused. `problem` is the platform's error response, `hint` the advice for bad rows, and
    `done` the verb in "Nothing was imported"."""
    bad = problem.get("bad_rows")
    if bad:
        _places(console, "Bad rows", bad, problem["bad_row_count"], file=file, colour="red")
        reason = f"{problem['bad_row_count']} of {problem['row_count']} rows are bad"
        if any(place["line"] is None for place in bad):
            reason = "the header is bad" + (f", and {reason}" if problem["bad_row_count"] else "")
    else:
        reason, hint = str(problem.get("detail") or problem["title"]), ""
    console.print(Text.assemble(("✗ ", "red"), (f"Nothing was {done}: ", "bold"), reason), soft_wrap=True)
    if hint:
        console.print(Text(f"  {hint}", "dim"), soft_wrap=True)
    if hint == _SKIP and any(str(place["message"]).startswith(_EXISTS) for place in bad or ()):
        console.print(Text(f"  {_REPLACE}", "dim"), soft_wrap=True)


def _places(console: Console, title: str, places: list[Json], count: int, *, file: str, colour: str) -> None:
    if not places:
        return
    if console.is_terminal:
        table = Table("Line", "Field", "What", title=title, title_justify="left", title_style=f"bold {colour}")
        table.columns[0].justify = "right"
        for place in places:
            table.add_row(
                "header" if place["line"] is None else str(place["line"]),
                Text(place.get("field") or ""),
                Text(_message(place)),
            )
        console.print(table)
    else:
        # The format of compilers, which editors and grep understand.
        for place in places:
            field = f"{place['field']}: " if place.get("field") else ""
            line = "" if place["line"] is None else f"{place['line']}:"
            console.print(Text(f"{file}:{line} {field}{_message(place)}"), soft_wrap=True)
    # A bad row may have several errors, so there may be more lines than rows, but never fewer.
    if count > sum(place.get("count", 1) for place in places):
        console.print(Text(f"… and more: {count} in all", "dim"))


def _message(place: Json) -> str:
    """Return the message about a place in the imported file, with a count if it occurs more than once."""
    count = place.get("count", 1)
    return str(place["message"]) + (f" ({count:,} times)" if count > 1 else "")


def _preview(console: Console, rows: list[Json], *, file: str) -> None:
    if not rows:
        return
    if not console.is_terminal:
        for row in rows:
            task = f"{row['task']['task_id']} ({row['task']['category']})"
            console.print(Text(f"{file}:{row['line']}: {row['change']}: {task}"), soft_wrap=True)
        return
    table = Table("Line", "", "Task", "Category", "Question", title="The first tasks", title_justify="left")
    table.columns[0].justify = "right"
    for row in rows:
        task = row["task"]
        question = Text(task["question"].partition("\n")[0], no_wrap=True, overflow="ellipsis")
        table.add_row(str(row["line"]), row["change"], Text(task["task_id"]), Text(task["category"]), question)
    console.print(table)
