"""The suite of a run that is being created, and the order of its tasks."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from graphlib import TopologicalSorter
from uuid import UUID

from llmbench.contracts.chat import SamplingParams
from llmbench.contracts.suite import Aggregation, TaskGate
from orchestrator.kernel.domain.sample import Sample


@dataclass(frozen=True)
class NewSuiteTask:
    """A task of a suite, as a run copies it. It has either a `version_id` (of a dataset) or a `collection_id`.

    Tasks of a lower `level` are asked first. A task is skipped for a target unless every `gate` passes.
    """

    name: str
    category: str
    level: int
    version_id: UUID | None
    collection_id: UUID | None
    source_name: str
    source_version: int | None
    sample: Sample | None
    params: SamplingParams
    epochs: int
    weight: float
    after: Sequence[str]
    gate: Sequence[TaskGate]
    estimated_seconds: float | None

    def waits_for(self) -> Sequence[str]:
        """Return the names of the tasks that must come before this task, by its `after` or by one of its gates."""
        return tuple(dict.fromkeys((*self.after, *(gate.task for gate in self.gate))))


@dataclass(frozen=True)
class NewSuite:
    """A suite, as a run copies it. `tasks` are the run's tasks, in the order in which they are asked. `left_out` names
    the suite's tasks that the run does not have, and `task_count` counts all tasks of the suite."""

    suite_id: UUID
    name: str
    version_number: int
    aggregation: Aggregation
    task_count: int
    left_out: Sequence[str]
    tasks: Sequence[NewSuiteTask]


def levels(after: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Return the level of each task: the length of the longest chain of tasks before it. `after` has, for each task,
    the names of the tasks directly before it. A name that is not a key of `after` is ignored.

    >>> levels({"c": ["a", "b"], "b": ["a"], "a": ["left out"]})
    {'a': 0, 'b': 1, 'c': 2}
    """
    found: dict[str, int] = {}
    for name in TopologicalSorter(after).static_order():
        if name in after:
            found[name] = max((found[before] + 1 for before in after[name] if before in found), default=0)
    return found


def dependants(waits_for: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Return, for each task, its own name and those of all tasks that wait for it, directly or through others.

    >>> dependants({"a": [], "b": ["a"], "c": ["b"], "d": []})
    {'a': ('a', 'b', 'c'), 'b': ('b', 'c'), 'c': ('c',), 'd': ('d',)}
    """
    found: dict[str, tuple[str, ...]] = {}
    for name in waits_for:
        reached = {name}
        for later in TopologicalSorter(waits_for).static_order():
            if any(before in reached for before in waits_for.get(later, ())):
                reached.add(later)
        found[name] = tuple(each for each in waits_for if each in reached)
    return found


@dataclass(frozen=True)
class TaskInSuite:
    name: str
    category: str
    weight: float


def task_weights(tasks: Sequence[TaskInSuite], aggregation: Aggregation) -> dict[str, float]:
    """Return the weight of each task in the suite's score, by the rule `aggregation`. The weights sum up to 1, or are
    all 0.

    Two tasks are in the category `x`, one is in `y`. Their own weights are 3, 1 and 1:

    >>> tasks = [TaskInSuite("a", "x", 3), TaskInSuite("b", "x", 1), TaskInSuite("c", "y", 1)]
    >>> task_weights(tasks, Aggregation.WEIGHTED), task_weights(tasks, Aggregation.MACRO)
    ({'a': 0.6, 'b': 0.2, 'c': 0.2}, {'a': 0.25, 'b': 0.25, 'c': 0.5})
    """
    of_category = Counter(task.category for task in tasks)
    match aggregation:
        case Aggregation.WEIGHTED:
            weights = {task.name: task.weight for task in tasks}
        case Aggregation.MACRO:
            weights = {task.name: 1 / of_category[task.category] for task in tasks}
        case _:
            weights = {task.name: 1.0 for task in tasks}
    total = sum(weights.values())
    return {name: weight / total if total else 0.0 for name, weight in weights.items()}
