"""Find the tasks in which two suite runs can be compared.

A task is compared if the same measure scored it in both runs. The measure of a task is the primary revisions that score
it, with their weights. If both runs have the same version of a suite, this must be true of every task, because the
suite's score covers all of them. If the versions differ, tasks that changed are left out, and the verdict names them.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from llmbench.contracts.suite import Aggregation
from llmbench.thresholds import tidy
from orchestrator.kernel.domain.suite import TaskInSuite, task_weights

_NAMED = 5


@dataclass(frozen=True)
class ScoredTask:
    """A task of a suite run. `measure` names what scored it: its primary revisions with a weight, and their weights. It
    is `None` if nothing scores the task."""

    name: str
    category: str
    weight: float
    measure: str | None


@dataclass(frozen=True)
class ScoredSuite:
    """The suite of a run. `left_out` are the tasks of the suite that the run does not have. `skipped` are those that a
    gate skipped for the compared target."""

    name: str
    version_number: int
    aggregation: Aggregation
    left_out: Sequence[str]
    tasks: Sequence[ScoredTask]
    skipped: Sequence[str] = ()

    @property
    def shown(self) -> str:
        return f"'{self.name}' v{self.version_number}"


@dataclass(frozen=True)
class TasksInBoth:
    """The tasks of two suite runs. `alike` tasks are in both runs and have the same measure (see the module). `changed`
    tasks are in both runs and have different measures. `alone` tasks are in one run only."""

    alike: Sequence[str]
    changed: Sequence[str]
    alone: Sequence[str]


def tasks_in_both(here: ScoredSuite, baseline: ScoredSuite) -> TasksInBoth:
    measures = {task.name: task.measure for task in here.tasks}
    shared = [task for task in baseline.tasks if task.name in measures]
    alike = [task.name for task in shared if task.measure is not None and task.measure == measures[task.name]]
    names = {task.name for task in shared}
    return TasksInBoth(
        alike=alike,
        changed=[task.name for task in shared if task.name not in alike],
        alone=[task.name for task in [*baseline.tasks, *here.tasks] if task.name not in names],
    )


def is_break(here: ScoredSuite, baseline: ScoredSuite) -> bool:
    """Return whether the runs belong to different suites, or to different versions of one suite."""
    return (here.name, here.version_number) != (baseline.name, baseline.version_number)


def reason_tasks_are_lacking(here: ScoredSuite, baseline: ScoredSuite) -> str | None:
    """Return the reason why two runs cannot be compared over the complete suite, or `None` if they can. Single tasks
    may be comparable in either case."""
    omitted = [task.name for task in baseline.tasks if task.name in here.left_out]
    omitted += [task.name for task in here.tasks if task.name in baseline.left_out]
    if omitted:
        return f"One of the runs left out {named(omitted)}. Run the complete suite, or limit the gate to a task."
    changed = tasks_in_both(here, baseline).changed
    if changed and not is_break(here, baseline):
        return (
            f"Two different measures scored {named(changed)}: another judge, or other weights. Have both runs scored "
            "by the same evaluators, or limit the gate to another task."
        )
    return None


def weights_of(baseline: ScoredSuite, names: Sequence[str]) -> dict[str, float]:
    """Return the weight of each named task in the suite's score, as if the suite had only these tasks. The weights are
    those of the baseline's suite."""
    tasks = [TaskInSuite(task.name, task.category, task.weight) for task in baseline.tasks if task.name in names]
    return task_weights(tasks, baseline.aggregation)


def weigh_alike(here: ScoredSuite, baseline: ScoredSuite) -> bool:
    """Return whether the suite scores of two runs weigh the same tasks in the same way.

    Two runs of one version of a suite must have the same aggregation, and the same weights of their common tasks. These
    can differ, because a new version may have the number of a deleted one.

    Two runs of different versions must not have left out any task of their versions, and must have the same
    aggregation. Each task must be in both versions, with the same weight, category and measure (see the module).
    """
    if not is_break(here, baseline):
        weights = {task.name: (task.category, task.weight) for task in here.tasks}
        common = [task for task in baseline.tasks if task.name in weights]
        same = all(weights[task.name] == (task.category, task.weight) for task in common)
        return same and here.aggregation == baseline.aggregation
    return _weighing(here) == _weighing(baseline) and not here.left_out and not baseline.left_out


def _weighing(suite: ScoredSuite) -> tuple[Aggregation, frozenset[ScoredTask]]:
    return suite.aggregation, frozenset(suite.tasks)


def shared_weights(suites: Sequence[ScoredSuite | None]) -> dict[str, float] | None:
    """Return the weights of the tasks that evaluators score in all these suite runs, as if the suite had only these
    tasks. Tasks that gates skipped in all runs are left out. Return `None` if the suites do not all weigh the
    same tasks in the same way (see `weigh_alike`), or if no such task has a weight."""
    first = suites[0]
    if first is None or any(other is None or not weigh_alike(other, first) for other in suites):
        return None
    known = [suite for suite in suites if suite is not None]
    of_runs = [{task.name for task in suite.tasks if task.measure is not None} for suite in known]
    skipped = set(skipped_in_all(known))
    names = [task.name for task in first.tasks if task.name not in skipped]
    weights = weights_of(first, [name for name in names if all(name in scored for scored in of_runs)])
    return weights if any(weights.values()) else None


def skipped_in_all(suites: Sequence[ScoredSuite]) -> list[str]:
    """Return the tasks without any score, because gates skipped them for every target. `suites` has the suite of each
    target."""
    return [task for task in suites[0].skipped if all(task in suite.skipped for suite in suites)]


def suite_scores(suites: Sequence[ScoredSuite | None], by_task: Mapping[str, Sequence[float]]) -> list[float] | None:
    """Return the score of the suite for each column (a target of a run), from the mean scores of its tasks. Return
    `None` if the columns' suites do not weigh the same tasks in the same way (see `weigh_alike`), or if no task has a
    weight.

    >>> tasks = [ScoredTask("sums", "general", 3, "r*1"), ScoredTask("words", "general", 1, "r*1")]
    >>> suite = ScoredSuite("Nightly", 1, Aggregation.WEIGHTED, [], tasks)
    >>> suite_scores([suite, suite], {"sums": [1, 0], "words": [0, 1]})
    [0.75, 0.25]
    >>> suite_scores([suite, None], {"sums": [1, 0]}) is None
    True
    """
    first, shared = suites[0], shared_weights(suites)
    if first is None or shared is None:
        return None
    weights = weights_of(first, [task for task in by_task if task in shared])
    if not any(weights.values()):
        return None
    return [
        tidy(math.fsum(weight * by_task[task][place] for task, weight in weights.items()))
        for place in range(len(suites))
    ]


def break_words(here: ScoredSuite, baseline: ScoredSuite) -> str:
    """Return a text that names the two versions of a suite, and the tasks that the comparison leaves out because the
    versions differ. The text is empty if both runs have the same version.

    >>> suite = ScoredSuite("Nightly", 1, Aggregation.MEAN, [], [ScoredTask("sums", "general", 1, "r*1")])
    >>> changed = ScoredSuite("Nightly", 2, Aggregation.MEAN, [], [ScoredTask("sums", "general", 1, "s*1")])
    >>> break_words(changed, suite)
    "'Nightly' v2 is compared with 'Nightly' v1. Scored in another way: the task 'sums'."
    >>> break_words(suite, suite)
    ''
    """
    if not is_break(here, baseline):
        return ""
    tasks = tasks_in_both(here, baseline)
    words = f"{here.shown} is compared with {baseline.shown}."
    words += f" Scored in another way: {named(tasks.changed)}." if tasks.changed else ""
    return words + (f" In one of them only: {named(tasks.alone)}." if tasks.alone else "")


def named(tasks: Sequence[str]) -> str:
    """Return the names of tasks for a sentence. If there are many, the last ones are only counted.

    >>> named(["sums"]), named(["sums", "words"])
    ("the task 'sums'", "the tasks 'sums', 'words'")
    """
    names = ", ".join(f"'{name}'" for name in tasks[:_NAMED])
    more = f" and {len(tasks) - _NAMED} more" if len(tasks) > _NAMED else ""
    return f"the task{'' if len(tasks) == 1 else 's'} {names}{more}"
