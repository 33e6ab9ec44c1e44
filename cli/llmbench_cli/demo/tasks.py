"""Read the sample tasks, and select some of them from all categories."""

from collections import defaultdict
from importlib.resources import files
from itertools import zip_longest
from typing import Any

import yaml

Task = dict[str, Any]
_FIELDS = (
    "task_id",
    "category",
    "subcategory",
    "question",
    "excellent",
    "good",
    "pass",
    "incorrect_answer_direction",
)


def sample_tasks() -> list[Task]:
    """Return the tasks of `samples/tasks.yaml` in the form of `POST /api/tasks`. Missing fields are None."""
    raw = yaml.safe_load((files("llmbench_cli") / "samples" / "tasks.yaml").read_text("utf-8"))
    return [{name: task.get(name) for name in _FIELDS} for task in raw]


def by_category(tasks: list[Task]) -> dict[str, list[Task]]:
    """Group tasks by category, keeping their order.

    >>> by_category([{"category": "b"}, {"category": "a"}, {"category": "b", "n": 2}])
    {'b': [{'category': 'b'}, {'category': 'b', 'n': 2}], 'a': [{'category': 'a'}]}
    """
    groups: dict[str, list[Task]] = defaultdict(list)
    for task in tasks:
        groups[task["category"]].append(task)
    return dict(groups)


def varied(tasks: list[Task], number: int) -> list[Task]:
    """Return the first `number` tasks, taken from each category in turn, so that even a few tasks cover all categories.

    >>> tasks = [{"category": c, "n": n} for c in "ab" for n in (1, 2, 3)]
    >>> [(t["category"], t["n"]) for t in varied(tasks, 3)]
    [('a', 1), ('b', 1), ('a', 2)]
    """
    rounds = zip_longest(*by_category(tasks).values())
    return [task for round_ in rounds for task in round_ if task is not None][:number]
