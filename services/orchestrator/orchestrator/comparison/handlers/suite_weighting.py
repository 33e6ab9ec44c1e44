"""Decide how the tasks of a suite count in the comparison of two columns (targets of runs): as in the score of the
suite, or by their numbers of cases."""

from collections.abc import Sequence

from orchestrator.comparison.domain.suites import ScoredSuite, named, shared_weights, skipped_in_all, weigh_alike
from orchestrator.comparison.handlers.comparable import reason_not_comparable
from orchestrator.comparison.ports.comparison import Column
from orchestrator.comparison.ports.pairs import SCORE, Metric, MetricKind, TaskCoverage

_AGGREGATIONS = {"mean": "each task equally", "weighted": "by their weights", "macro": "each category equally"}


def score_metric(here: Column, baseline: Column) -> Metric:
    """Return the metric of the overall scores of two columns. It weighs the tasks of their suites if both suites weigh
    them in the same way."""
    weights = _weights(here, baseline)
    if weights is None:
        return SCORE
    return Metric(MetricKind.SCORE, tasks=tuple(weights), task_weights=tuple(weights.values()), counts_every_case=True)


def weighting_words(here: Column, baseline: Column, tasks: Sequence[TaskCoverage]) -> str | None:
    """Return sentences that say how the tasks count in the comparison. Return `None` if neither column belongs to a run
    of a suite, or if their scores are not comparable. `tasks` are the tasks with cases in both columns."""
    mine, other = here.suite, baseline.suite
    if (mine is None and other is None) or reason_not_comparable(here, baseline):
        return None
    if mine is None or other is None:
        alone = here if other is None else baseline
        return f"Each case counts equally, because only '{alone.run_name}' is a run of a suite."
    if not weigh_alike(mine, other):
        return f"Each case counts equally, because {_shown(mine, other)} do not weigh the same tasks in the same way."
    weights = _weights(here, baseline)
    if weights is None:
        return f"Each case counts equally, because no task that both runs scored has a weight in {other.shown}."
    absent = list(dict.fromkeys((*mine.left_out, *other.left_out, *skipped_in_all([other, mine]))))
    left_out = f" without {named(absent)}" if absent else ""
    words = f"The tasks count as in the score of {other.shown}{left_out}: {_AGGREGATIONS[other.aggregation]}."
    present = {task.task for task in tasks}
    uncommon = [task for task in weights if task not in present] if present else []
    words += f" Without a case in both: {named(uncommon)}." if uncommon else ""
    lacking = [task for task in dict.fromkeys((*other.skipped, *mine.skipped)) if task not in absent]
    return f"{words} A gate skipped {named(lacking)} in one of them only." if lacking else words


def _weights(here: Column, baseline: Column) -> dict[str, float] | None:
    return None if reason_not_comparable(here, baseline) else shared_weights([baseline.suite, here.suite])


def _shown(here: ScoredSuite, baseline: ScoredSuite) -> str:
    return f"{here.shown} and {baseline.shown}"
