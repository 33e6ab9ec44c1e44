"""Check the order of a suite's tasks and their gates, by pure functions.

A gate of a suite's task is a condition (`GateIn`): a target is asked the task only if its score in another task is high
enough.
"""

from collections.abc import Mapping, Sequence
from graphlib import CycleError, TopologicalSorter

from config_api.suites.schemas import SuiteTaskIn
from llmbench.contracts.suite import TaskEvaluator
from llmbench.errors import FieldError


def order_faults(tasks: Sequence[tuple[str, Sequence[str], Sequence[str]]]) -> list[FieldError]:
    """Return the errors in the names of the tasks, and in the order in which they wait for each other.

    Each task is a triple: its name, the tasks that it comes after, and the tasks whose scores its gates need. Here, `a`
    comes after `b`, and a gate of `b` needs the score of `a`:

    >>> [fault.message for fault in order_faults([("a", ["b"], []), ("b", [], ["a"])])]
    ['the tasks wait for each other: a → b → a']
    """
    names = [name for name, _, _ in tasks]
    faults: list[FieldError] = []
    for index, (name, after, gates) in enumerate(tasks):
        if name in names[:index]:
            faults.append(FieldError(f"tasks.{index}.name", f"task {names.index(name)} is called '{name}', too"))
        faults += _named(f"tasks.{index}.after", "", name, after, names)
        faults += _named(f"tasks.{index}.gate", ".task", name, gates, names)
    if faults:
        return faults
    cycle = _cycle({name: [*after, *gates] for name, after, gates in tasks})
    return [FieldError("tasks", f"the tasks wait for each other: {' → '.join(cycle)}")] if cycle else []


def _named(field: str, end: str, name: str, befores: Sequence[str], names: Sequence[str]) -> list[FieldError]:
    faults = []
    for place, before in enumerate(befores):
        if before == name:
            faults.append(FieldError(f"{field}.{place}{end}", "the task waits for itself"))
        elif before not in names:
            message = f"there is no task '{before}'; there are {', '.join(names[:20])}"
            faults.append(FieldError(f"{field}.{place}{end}", message))
        elif before in befores[:place]:
            faults.append(FieldError(f"{field}.{place}{end}", f"'{before}' is named twice"))
    return faults


def gate_faults(tasks: Sequence[SuiteTaskIn], evaluators: Sequence[Sequence[TaskEvaluator]]) -> list[FieldError]:
    """Return an error for each gate that needs the score of an unsuitable task. A task is unsuitable if it has no
    evaluators of its own, or if one of them needs a judge model. `evaluators` has the evaluators of each task.

    A gate is decided while the target's model stays loaded, so no judge model can be called before the decision.
    """
    by_program = {
        task.name: bool(of_task) and not any(evaluator.needs_judge for evaluator in of_task)
        for task, of_task in zip(tasks, evaluators, strict=True)
    }
    return [
        FieldError(
            f"tasks.{index}.gate.{place}.task",
            f"'{gate.task}' needs evaluators, none of which may ask a model: the gate is decided before any judge is "
            "asked",
        )
        for index, task in enumerate(tasks)
        for place, gate in enumerate(task.gate)
        if not by_program.get(gate.task, True)
    ]


def _cycle(after: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the tasks of a cycle, each of which waits for the one before it. The first is repeated at the end.

    The result is empty if there is no cycle.
    """
    try:
        TopologicalSorter(after).prepare()
    except CycleError as error:
        found: list[str] = error.args[1]
        # Begin with the name that comes first in the alphabet, so that the message is always the same.
        first = found.index(min(found[:-1]))
        return [*found[first:-1], *found[:first], found[first]]
    return []


def levels(after: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Return the level of each task: 0 if it waits for no task, else one more than the highest level of the tasks that
    it waits for. `after` has, by task, the names of the tasks that it waits for.

    >>> levels({"c": ["a", "b"], "b": ["a"], "a": []})
    {'a': 0, 'b': 1, 'c': 2}
    """
    found: dict[str, int] = {}
    for name in TopologicalSorter(after).static_order():
        found[name] = max((found[before] + 1 for before in after[name]), default=0)
    return found
