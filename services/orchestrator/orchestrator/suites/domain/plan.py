"""Plan a suite run before it starts: levels, batches and the expected time.

Levels and batches follow Algorithm 4 of the specification "The evaluation service" (see docs/requirements.md). The
level of a task is the length of the longest chain of tasks for which it waits. So tasks of one level never wait for
each other. A batch holds tasks of one level that could run at the same time.

The expected time of the run does not come from the batches, because the speed of the provider limits a run. It comes
from the pace of each model's last answers.
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class PlannedTask:
    """A task of the plan. `items` counts its answers over all targets. `estimated_s` is the time in seconds that they
    take one after another; null if it is unknown."""

    name: str
    level: int
    items: int
    estimated_s: float | None


@dataclass(frozen=True)
class Batch:
    """Tasks of one level (see the module) that could run at the same time without exceeding the requested parallelism.

    `estimated_s` is the time of its longest task in seconds; null if it is unknown.
    """

    batch_id: int
    level: int
    tasks: Sequence[str]
    estimated_s: float | None


def batches(tasks: Sequence[PlannedTask], *, parallelism: int) -> list[Batch]:
    """Pack the tasks of each level into batches, the longest tasks first. A batch holds at most `parallelism` tasks,
    and their loads add up to at most `parallelism`.

    The load of a task is its number of answers per second (`items` / `estimated_s`) divided by `parallelism`, but at
    most 1. A task of unknown time has the load 1.

    The first two tasks have level 0 and fit into one batch; the third task has level 1:

    >>> tasks = [PlannedTask("a", 0, 10, 5.0), PlannedTask("b", 0, 10, 9.0), PlannedTask("c", 1, 1, None)]
    >>> [(batch.tasks, batch.estimated_s) for batch in batches(tasks, parallelism=2)]
    [(['b', 'a'], 9.0), (['c'], None)]
    """
    packed: list[Batch] = []
    for level in sorted({task.level for task in tasks}):
        open_: list[PlannedTask] = []
        load = 0.0
        of_level = [task for task in tasks if task.level == level]
        for task in sorted(of_level, key=lambda task: -(task.estimated_s or 0.0)):
            weight = _load(task, parallelism)
            if open_ and (load + weight > parallelism or len(open_) >= parallelism):
                packed.append(_batch(len(packed) + 1, open_))
                open_, load = [], 0.0
            open_.append(task)
            load += weight
        packed.append(_batch(len(packed) + 1, open_))
    return packed


def total_s(times: Sequence[float | None]) -> float | None:
    """Return the sum of the times in seconds; `None` if one of them is unknown."""
    known = [time for time in times if time is not None]
    return sum(known) if len(known) == len(times) else None


def _load(task: PlannedTask, parallelism: int) -> float:
    return min(1.0, task.items / task.estimated_s / parallelism) if task.estimated_s else 1.0


def _batch(number: int, tasks: Sequence[PlannedTask]) -> Batch:
    times = [task.estimated_s for task in tasks]
    longest = None if None in times else max(time for time in times if time is not None)
    return Batch(number, tasks[0].level, [task.name for task in tasks], longest)
