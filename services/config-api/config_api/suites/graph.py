"""Check the order of a suite's tasks: a pure function of their names and dependencies."""

from collections.abc import Mapping, Sequence
from graphlib import CycleError, TopologicalSorter

from llmbench.errors import FieldError


def order_faults(tasks: Sequence[tuple[str, Sequence[str]]]) -> list[FieldError]:
    """Return the faults of the tasks' names and dependencies. Each task is a pair: its name, and the names of the tasks
    that run before it.

    >>> [fault.message for fault in order_faults([("a", ["b"]), ("b", ["a"])])]
    ['the tasks wait for each other: a → b → a']
    """
    names = [name for name, _ in tasks]
    faults: list[FieldError] = []
    for index, (name, after) in enumerate(tasks):
        if name in names[:index]:
            faults.append(FieldError(f"tasks.{index}.name", f"task {names.index(name)} is called '{name}', too"))
        for place, before in enumerate(after):
            field = f"tasks.{index}.after.{place}"
            if before == name:
                faults.append(FieldError(field, "the task waits for itself"))
            elif before not in names:
                faults.append(FieldError(field, f"there is no task '{before}'; there are {', '.join(names[:20])}"))
            elif before in after[:place]:
                faults.append(FieldError(field, f"'{before}' is named twice"))
    if faults:
        return faults
    cycle = _cycle(dict(tasks))
    return [FieldError("tasks", f"the tasks wait for each other: {' → '.join(cycle)}")] if cycle else []


def _cycle(after: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the names of a cycle, in the order in which its tasks would run; empty if there is none."""
    try:
        TopologicalSorter(after).prepare()
    except CycleError as error:
        found: list[str] = error.args[1]
        # Begin with the name that comes first in the alphabet, so that the message is always the same.
        first = found.index(min(found[:-1]))
        return [*found[first:-1], *found[:first], found[first]]
    return []


def levels(after: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Return the level of each task: 0 without tasks before it, otherwise one more than the highest level before it.

    >>> levels({"c": ["a", "b"], "b": ["a"], "a": []})
    {'a': 0, 'b': 1, 'c': 2}
    """
    found: dict[str, int] = {}
    for name in TopologicalSorter(after).static_order():
        found[name] = max((found[before] + 1 for before in after[name]), default=0)
    return found
