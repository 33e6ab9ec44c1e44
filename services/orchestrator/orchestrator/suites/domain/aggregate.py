"""Combine the results of a suite's tasks into the scores of categories and of the suite.

A task's score is the mean of its scored answers. The score of a category or a suite is a weighted mean of the scores of
its tasks. Its interval follows from the linearised mean (Särndal, Swensson and Wretman 1992, section 5.5): each cluster
of results contributes the amount by which it moves the score. All results of a document are one cluster, even if they
belong to several tasks. The degrees of freedom are those of Welch and Satterthwaite over the tasks.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from llmbench.contracts.suite import Aggregation
from llmbench.thresholds import tidy
from orchestrator.kernel.domain.suite import TaskInSuite, task_weights
from orchestrator.results.domain.intervals import Clusters, mean_interval, pass_interval, t_975

_NO_SPREAD = 1e-15


@dataclass(frozen=True)
class ClusterSums:
    """The results of one cluster in one task: `n` scored answers, the sum `x` of their scores, the number of
    `verdicts`, and how many of these `passed`."""

    task: str
    cluster: str
    n: int
    x: float
    verdicts: int
    passed: int


@dataclass(frozen=True)
class Score:
    """A score from 0 to 1 with its 95 % interval. `value` is null without scored answers. `note` says why there is no
    score or no interval, or how the interval was estimated if all scores of a task are equal."""

    value: float | None = None
    interval: tuple[float, float] | None = None
    note: str | None = None


@dataclass(frozen=True)
class TaskScore:
    score: Score
    pass_rate: float | None
    pass_interval: tuple[float, float] | None


@dataclass(frozen=True)
class SuiteScores:
    """The scores of one target: of the suite, of each category and of each task. `used` are the tasks that count in the
    suite's score."""

    suite: Score
    categories: Mapping[str, Score]
    tasks: Mapping[str, TaskScore]
    used: Sequence[str]


def aggregate(tasks: Sequence[TaskInSuite], sums: Sequence[ClusterSums], aggregation: Aggregation) -> SuiteScores:
    """Return the scores of one target by task, category and suite. Tasks without scored answers are left out of the
    means. The caller has to show the user which tasks are left out."""
    of_task = {task.name: [each for each in sums if each.task == task.name] for task in tasks}
    scored = [task for task in tasks if any(each.n for each in of_task[task.name])]
    weights = task_weights(scored, aggregation)
    categories: dict[str, list[TaskInSuite]] = {}
    for task in scored:
        categories.setdefault(task.category, []).append(task)
    by_weight = aggregation == Aggregation.WEIGHTED
    return SuiteScores(
        suite=_combined(weights, of_task),
        categories={
            category: _combined({task.name: task.weight if by_weight else 1.0 for task in members}, of_task)
            for category, members in categories.items()
        },
        tasks={task.name: _of_task(of_task[task.name]) for task in tasks},
        used=[name for name, weight in weights.items() if weight],
    )


def _of_task(sums: Sequence[ClusterSums]) -> TaskScore:
    scores = _clusters([(each.n, each.x) for each in sums])
    verdicts = _clusters([(each.verdicts, float(each.passed)) for each in sums])
    interval = mean_interval(scores)
    rate = verdicts.x / verdicts.n if verdicts.n else None
    return TaskScore(
        score=Score(
            value=tidy(scores.x / scores.n) if scores.n else None,
            interval=interval,
            note=None if interval or not scores.n else _why_none(scores),
        ),
        pass_rate=None if rate is None else tidy(rate),
        pass_interval=None if rate is None else pass_interval(verdicts),
    )


def _clusters(pairs: Sequence[tuple[int, float]]) -> Clusters:
    """Return the sums over clusters. `pairs` has one tuple per cluster: the number of its results, and the sum of their
    values."""
    present = [(n, x) for n, x in pairs if n]
    return Clusters(
        count=len(present),
        n=sum(n for n, _ in present),
        x=math.fsum(x for _, x in present),
        xx=math.fsum(x * x for _, x in present),
        xn=math.fsum(x * n for n, x in present),
        nn=sum(n * n for n, _ in present),
    )


def _why_none(sums: Clusters) -> str:
    if sums.count < 2:
        return "the results are one cluster, which has no spread"
    return "all clusters have the same score, so the spread is unknown"


def _combined(weights: Mapping[str, float], of_task: Mapping[str, Sequence[ClusterSums]]) -> Score:
    """Return the weighted mean of the tasks' scores. The weights need not sum up to 1; tasks without weight are left
    out."""
    total = sum(weights.values())
    if not total:
        return Score(note="no task with a weight has a score")
    value, single, alike = 0.0, [], []
    assumed = 0.0
    influence: dict[str, float] = {}
    variances: list[tuple[float, int]] = []
    for name, weight in weights.items():
        if not weight:
            continue
        share = weight / total
        sums = _clusters([(each.n, each.x) for each in of_task[name]])
        mean = sums.x / sums.n
        value += share * mean
        if sums.count < 2:
            single.append(name)
            continue
        # The factor G/(G-1) of each task corrects for its number of clusters.
        scale = share * math.sqrt(sums.count / (sums.count - 1)) / sums.n
        moved = {each.cluster: scale * (each.x - mean * each.n) for each in of_task[name] if each.n}
        for cluster, by in moved.items():
            influence[cluster] = influence.get(cluster, 0.0) + by
        variance = math.fsum(each * each for each in moved.values())
        if variance <= _NO_SPREAD:
            alike.append(name)
            variance = share * share * _variance_of_alike(mean, sums.count)
            assumed += variance
        variances.append((variance, sums.count - 1))
    variance = math.fsum(each * each for each in influence.values())
    if single:
        return Score(tidy(value), note=f"no interval: the results of {_named(single)} are one cluster")
    if variance <= _NO_SPREAD:
        return Score(tidy(value), note="no interval: within each task, all clusters have the same score")
    variance += assumed
    spread = math.fsum(each for each, _ in variances)
    df = max(1, int(spread**2 / math.fsum(each * each / degrees for each, degrees in variances)))
    half = t_975(df) * math.sqrt(variance)
    note = f"all scores of {_named(alike)} are the same; its spread is taken as if two more were right and two wrong"
    return Score(tidy(value), (max(0.0, value - half), min(1.0, value + half)), note if alike else None)


def _variance_of_alike(mean: float, clusters: int) -> float:
    """Return a substitute variance of a mean for clusters that all have the same score, whose observed variance is 0.
    Otherwise a model that solves a task completely would make the interval of the suite too narrow.

    The substitute is the variance of the mean after four further clusters, two with the score 1 and two with the score
    0 (Agresti and Coull 1998).
    """
    rate = (mean * clusters + 2) / (clusters + 4)
    return rate * (1 - rate) / (clusters + 4)


def _named(names: Sequence[str]) -> str:
    shown = ", ".join(f"'{name}'" for name in names[:5])
    return shown if len(names) <= 5 else f"{shown} and {len(names) - 5} more"
