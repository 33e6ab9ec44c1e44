"""Limit a metric to the tasks of a suite in which columns (targets of runs) can be compared, and weigh them as the
suite does. A task can be compared if the same measure scored it in all columns (see `domain/suites.py`)."""

from collections.abc import Sequence
from dataclasses import replace

from orchestrator.comparison.domain.suites import (
    ScoredSuite,
    break_words,
    named,
    reason_tasks_are_lacking,
    skipped_in_all,
    tasks_in_both,
    weights_of,
)
from orchestrator.comparison.handlers.comparable import reason_not_comparable
from orchestrator.comparison.handlers.gate_metric import GateMetric, refusal
from orchestrator.comparison.ports.comparison import Column
from orchestrator.comparison.ports.pairs import Metric, MetricKind, PairedColumn

_OVERALL = (MetricKind.SCORE, MetricKind.PASS_RATE)


def metric_in(columns: Sequence[Column], wanted: GateMetric, *, baseline: int) -> Metric:
    """Return the metric by which the columns (targets of runs) can be compared. If it is a suite's metric, limit it to
    the tasks that can be compared, and weigh them as the suite does (see the module). A task is left out if gates of
    the suite skipped it in all columns.

    Raises a 422 `Problem` if no task can be compared, or, without a suite, if different measures scored the columns.
    Also raises one if the metric is that of a skipped task.
    """
    base = columns[baseline]
    others = [column for at, column in enumerate(columns) if at != baseline]
    if base.suite is None or any(column.suite is None for column in others):
        _refuse_unlike(others, base, wanted)
        return wanted.metric
    skipped = _skipped_in(columns)
    task = wanted.task or wanted.evaluated_task
    if task in skipped:
        raise refusal("metric", f"a gate of the suite skipped {named([task])}, so there is nothing to compare")
    if wanted.kind not in _OVERALL:
        tasks = [task] if task is not None else [each.name for each in base.suite.tasks if each.name not in skipped]
        return replace(wanted.metric, tasks=tuple(tasks)) if task is not None or skipped else wanted.metric
    tasks = [wanted.task] if wanted.task is not None else [task.name for task in base.suite.tasks if task.measure]
    tasks = [task for task in tasks if task not in skipped]
    for column in others:
        if column.suite is not None:
            tasks = _alike(tasks, column, column.suite, base, base.suite, wanted)
    return _of_tasks(base.suite, tasks, wanted)


def skipped_words(columns: Sequence[Column], metric: Metric) -> str:
    """Return a sentence that names the tasks that the metric leaves out because gates of the suite skipped them in all
    columns. It is empty if there are none, or if the metric is that of one task."""
    skipped = _skipped_in(columns) if metric.tasks and len(metric.tasks) > 1 else []
    return f"A gate of the suite skipped {named(skipped)} in all runs." if skipped else ""


def require_cases(columns: Sequence[Column], paired: PairedColumn, at: int, metric: Metric, *, baseline: int) -> None:
    """Raise a 422 `Problem` if column `at` and the baseline have common cases in only some of the metric's tasks.

    Two versions of a suite are not checked, because they may have different cases. A metric without task weights is
    not checked either, because its mean is over cases.
    """
    if metric.task_weights is None or split_by_break(columns[at], columns[baseline]):
        return
    lacking = _without_cases(paired, metric)
    if lacking and len(lacking) < len(metric.tasks or ()):
        raise refusal("metric", f"'{columns[at].run_name}' shares no case of {named(lacking)} with the baseline.")


def split_by_break(here: Column, baseline: Column) -> str:
    """Return the text of `break_words` for the suites of two columns: how their versions differ. It is empty if they
    have the same version, or if one of the runs has no suite."""
    if here.suite is None or baseline.suite is None:
        return ""
    return break_words(here.suite, baseline.suite)


def break_in(here: Column, baseline: Column, paired: PairedColumn, metric: Metric) -> str:
    """Return sentences that say that the two runs have different versions of a suite, and which tasks have no case in
    both columns. The text is empty if the versions are the same."""
    words = split_by_break(here, baseline)
    lacking = _without_cases(paired, metric) if metric.task_weights is not None else []
    return f"{words} Without a case in both: {named(lacking)}." if words and lacking else words


def _skipped_in(columns: Sequence[Column]) -> list[str]:
    suites = [column.suite for column in columns if column.suite is not None]
    return skipped_in_all(suites) if len(suites) == len(columns) else []


def _without_cases(paired: PairedColumn, metric: Metric) -> list[str]:
    present = {task.task for task in paired.tasks}
    return [task for task in metric.tasks or () if task not in present]


def _refuse_unlike(others: Sequence[Column], base: Column, wanted: GateMetric) -> None:
    for column in others:
        unlike = reason_not_comparable(column, base) if wanted.kind in _OVERALL else None
        if unlike is None and wanted.task is not None and column.suite is None:
            unlike = f"'{column.run_name}' is not a run of a suite, so it has no task '{wanted.task}'."
        if unlike:
            raise refusal("metric", unlike)


def _alike(
    tasks: Sequence[str], column: Column, here: ScoredSuite, base: Column, suite: ScoredSuite, wanted: GateMetric
) -> list[str]:
    """Return those of `tasks` that can be compared in the two columns (see the module). Raises a 422 `Problem` if there
    is none. Also raises one if the metric covers the complete suite, and a task is lacking (see
    `reason_tasks_are_lacking`)."""
    lacking = reason_tasks_are_lacking(here, suite) if wanted.task is None else None
    if lacking:
        raise refusal("metric", lacking)
    both = tasks_in_both(here, suite)
    alike = [task for task in tasks if task in both.alike]
    if alike:
        return alike
    words = split_by_break(column, base)
    if not any(task in both.changed for task in tasks):
        why = f"'{column.run_name}' has no task '{wanted.task}'." if wanted.task else "The suites share no task."
    else:
        why = reason_not_comparable(column, base) or "No judge has scored the task in both runs."
    raise refusal("metric", f"{words} {why}".strip())


def _of_tasks(suite: ScoredSuite, tasks: Sequence[str], wanted: GateMetric) -> Metric:
    if wanted.task is not None or wanted.kind is not MetricKind.SCORE:
        return replace(wanted.metric, tasks=tuple(tasks))
    weights = weights_of(suite, tasks)
    if not any(weights.values()):
        raise refusal("metric", f"{named(tasks)} have no weight in the suite's score: limit the gate to a task")
    return replace(wanted.metric, tasks=tuple(tasks), task_weights=tuple(weights[task] for task in tasks))
