"""Test how the scores of tasks become scores of categories and suites, against hand-made and simulated results."""

import math
import random

import pytest

from llmbench.contracts.suite import Aggregation
from orchestrator.kernel.domain.suite import TaskInSuite
from orchestrator.results.domain.intervals import Clusters, mean_interval
from orchestrator.suites.domain.aggregate import ClusterSums, aggregate

A, B, C = TaskInSuite("a", "x", 3), TaskInSuite("b", "x", 1), TaskInSuite("c", "y", 0)


def results(task: str, *scores: float, prefix: str = "") -> list[ClusterSums]:
    """Return one cluster per score; each has one answer."""
    return [
        ClusterSums(task, f"{prefix or task}{number}", 1, score, 1, int(score >= 0.5))
        for number, score in enumerate(scores)
    ]


def test_means_count_tasks_weights_or_categories() -> None:
    sums = [*results("a", 1, 0), *results("b", 1, 1, 1, 0), *results("c", 0.2, 0.4)]
    mean = aggregate([A, B, C], sums, Aggregation.MEAN)
    assert mean.suite.value == pytest.approx((0.5 + 0.75 + 0.3) / 3)
    assert mean.categories["x"].value == pytest.approx(0.625)
    assert mean.tasks["b"].score.value == 0.75
    assert mean.tasks["b"].pass_rate == 0.75
    weighted = aggregate([A, B, C], sums, Aggregation.WEIGHTED)
    assert weighted.suite.value == pytest.approx((3 * 0.5 + 0.75) / 4)
    assert weighted.categories["x"].value == pytest.approx((3 * 0.5 + 0.75) / 4)
    assert weighted.categories["y"].value is None
    assert weighted.used == ["a", "b"]
    macro = aggregate([A, B, C], sums, Aggregation.MACRO)
    assert macro.suite.value == pytest.approx((0.625 + 0.3) / 2)


def test_suite_of_one_task_has_the_interval_of_the_task() -> None:
    sums = results("a", 1, 0, 0.5, 0.25, 1)
    scores = aggregate([A], sums, Aggregation.MEAN)
    assert scores.suite.interval == pytest.approx(scores.tasks["a"].score.interval)
    values = [each.x for each in sums]
    direct = Clusters(5, 5, sum(values), sum(x * x for x in values), sum(values), 5)
    assert scores.suite.interval == pytest.approx(mean_interval(direct))


def test_task_without_scores_is_left_out_of_the_means() -> None:
    scores = aggregate([A, B], results("a", 1, 0), Aggregation.MEAN)
    assert (scores.suite.value, scores.used) == (0.5, ["a"])
    assert scores.tasks["b"].score.value is None
    assert aggregate([A, B], [], Aggregation.MEAN).suite.value is None


def test_interval_is_null_with_its_reason_where_the_spread_is_unknown() -> None:
    single = aggregate([A, B], [*results("a", 1, 0), *results("b", 1)], Aggregation.MEAN).suite
    assert (single.value, single.interval) == (0.75, None)
    assert single.note is not None
    assert "'b'" in single.note
    alike = aggregate([A, B], [*results("a", 1, 1), *results("b", 0, 0)], Aggregation.MEAN).suite
    assert (alike.value, alike.interval) == (0.5, None)
    some = aggregate([A, B], [*results("a", 1, 0, 1), *results("b", 0, 0)], Aggregation.MEAN).suite
    assert some.interval is not None
    assert some.note is not None
    assert some.note.startswith("all scores of 'b' are the same; ")


def test_document_in_two_tasks_counts_as_one_cluster() -> None:
    scores = (0.1, 0.9, 0.2, 0.8)
    apart = aggregate([A, B], [*results("a", *scores), *results("b", *scores)], Aggregation.MEAN).suite
    shared = [*results("a", *scores, prefix="k"), *results("b", *scores, prefix="k")]
    together = aggregate([A, B], shared, Aggregation.MEAN).suite
    assert apart.interval is not None
    assert together.interval is not None
    width = (together.interval[1] - together.interval[0]) / (apart.interval[1] - apart.interval[0])
    assert width == pytest.approx(math.sqrt(2)), "the same answers twice say nothing more"


@pytest.mark.parametrize("aggregation", list(Aggregation))
@pytest.mark.parametrize("easiest", [0.7, 0.98])
def test_interval_covers_the_true_score_in_19_of_20_suites(aggregation: Aggregation, easiest: float) -> None:
    draw = random.Random(20261124)
    tasks = [TaskInSuite("a", "x", 3), TaskInSuite("b", "x", 1), TaskInSuite("c", "y", 2)]
    sizes, truths = {"a": 12, "b": 30, "c": 18}, {"a": easiest, "b": 0.5, "c": 0.3}
    weights = {
        Aggregation.MEAN: {"a": 1 / 3, "b": 1 / 3, "c": 1 / 3},
        Aggregation.WEIGHTED: {"a": 3 / 6, "b": 1 / 6, "c": 2 / 6},
        Aggregation.MACRO: {"a": 1 / 4, "b": 1 / 4, "c": 1 / 2},
    }[aggregation]
    true = sum(weights[name] * truths[name] for name in truths)
    covered = 0
    for _ in range(600):
        sums = []
        for name, size in sizes.items():
            for number in range(size):
                # The epochs of a case resemble each other.
                ease = draw.betavariate(4 * truths[name], 4 * (1 - truths[name]))
                passed = sum(draw.random() < ease for _ in range(3))
                sums.append(ClusterSums(name, f"{name}{number}", 3, passed, 3, passed))
        interval = aggregate(tasks, sums, aggregation).suite.interval
        assert interval is not None
        covered += interval[0] <= true <= interval[1]
    assert 0.92 <= covered / 600 <= 0.99, covered
