"""Tables of a suite: its plan before a run, and its scores after one."""

from typing import TYPE_CHECKING

from llmbench_cli.client import Json
from llmbench_cli.runs.result_tables import plain_table
from llmbench_cli.runs.words import NONE, with_interval

if TYPE_CHECKING:
    from rich.table import Table


def scores_table(suite: Json) -> "Table":
    """Return the scores of a suite run: one row per task, then one for the suite. If some category has several tasks,
    and there are several categories, the rows of the categories come in between."""
    shown = plain_table(
        f"{suite['name']} v{suite['version_number']}, aggregation {suite['aggregation']} (95 % intervals)"
    )
    shown.add_column("task", overflow="fold")
    shown.add_column("category", overflow="fold")
    for target in suite["targets"]:
        shown.add_column(target["label"], overflow="fold", justify="right")
    by_target = [{task["task"]: task for task in target["tasks"]} for target in suite["targets"]]
    for task in suite["tasks"]:
        cells = [_counted(of_target[task["name"]]) for of_target in by_target]
        shown.add_row(task["name"], task["category"], *cells)
    names = dict.fromkeys(task["category"] for task in suite["tasks"])
    categories = [{each["category"]: each for each in target["categories"]} for target in suite["targets"]]
    # If each category has one task, rows of categories would repeat the scores of the tasks.
    for name in names if 1 < len(names) < len(suite["tasks"]) else ():
        shown.add_row("", name, *(_score(of_target.get(name)) for of_target in categories), style="dim")
    shown.add_section()
    shown.add_row("suite", "", *(_score(target) for target in suite["targets"]), style="bold")
    return shown


def _score(result: Json | None) -> str:
    """Format a score in percent, with its interval if there is one.

    >>> _score({"score": 0.68, "interval": {"low": 0.59, "high": 0.76}}), _score(None)
    ('68% [59, 76]', '-')
    """
    if result is None:
        return NONE
    return with_interval(result["score"], result["interval"])


def _counted(task: Json) -> str:
    if task["state"] == "SKIPPED":
        return f"skipped, {task['skipped']}/{task['items']}"
    return f"{_score(task)} of {task['scored']}/{task['items']}"


def gates_text(gates: list[Json]) -> str:
    """Return the gates of a suite's task as text: the task is asked only if each of these other tasks reaches its
    score.

    >>> gates_text([{"task": "sums", "min_score": 0.5}, {"task": "facts", "min_score": 1}])
    'sums from 0.5, facts from 1'
    """
    return ", ".join(f"{gate['task']} from {gate['min_score']:g}" for gate in gates)


def notes_of(target: Json) -> list[str]:
    """Return the sentences below a target's scores: which tasks its score leaves out, and which tasks were skipped."""
    skipped = [
        f"'{task['task']}' was skipped: {task['skipped_because']}"
        for task in target["tasks"]
        if task["state"] == "SKIPPED"
    ]
    return [note for note in (target["completeness"], *skipped, target["note"]) if note]


def plan_table(plan: Json) -> "Table":
    """Return the plan of a suite run: one row per task, in the order in which the tasks are asked."""
    suite = plan["suite"]
    shown = plain_table(f"{suite['name']} v{suite['version']}: {plan['total_items']} answers, {_time(plan)}")
    for name in ("level", "batch"):
        shown.add_column(name, justify="right", no_wrap=True)
    for name in ("task", "after", "gate"):
        shown.add_column(name, overflow="fold")
    for name in ("answers", "seconds"):
        shown.add_column(name, justify="right", no_wrap=True)
    batch_of = {name: batch["batch_id"] for batch in plan["execution_plan"] for name in batch["tasks"]}
    for task in plan["tasks"]:
        seconds = task["estimated_seconds"]
        shown.add_row(
            str(task["level"]),
            str(batch_of[task["name"]]),
            task["name"],
            ", ".join(task["after"]),
            gates_text(task["gate"]),
            str(task["items"]),
            "unknown" if seconds is None else f"{seconds:.0f}",
        )
    return shown


def _time(plan: Json) -> str:
    seconds, cost = plan["estimated_seconds"], plan["estimated_cost_usd"]
    time = "of unknown time" if seconds is None else f"about {seconds:.0f} s"
    return time + (", of unknown cost" if cost is None else f", about {cost:.4f} USD")
