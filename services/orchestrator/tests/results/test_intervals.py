"""Test that the intervals equal those of scipy 1.16 (t, Wilson), and test their own properties."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.results.domain.intervals import (
    Clusters,
    effective_results,
    mean_interval,
    pass_interval,
    rate_interval,
    standard_error,
    t_975,
)

# scipy.stats.t.ppf(0.975, df)
QUANTILES = {
    1: 12.706204736,
    2: 4.302652730,
    3: 3.182446305,
    4: 2.776445105,
    5: 2.570581836,
    10: 2.228138852,
    30: 2.042272456,
    99: 1.984216952,
    10_000: 1.960201264,
}


@pytest.mark.parametrize(("df", "quantile"), QUANTILES.items())
def test_quantile_of_t_equals_scipys(df: int, quantile: float) -> None:
    assert t_975(df) == pytest.approx(quantile, rel=2e-3 if df == 3 else 5e-4)


def sums(clusters: list[list[float]]) -> Clusters:
    pairs = [(len(cluster), sum(cluster)) for cluster in clusters]
    return Clusters(
        count=len(pairs),
        n=sum(n for n, _ in pairs),
        x=sum(x for _, x in pairs),
        xx=sum(x * x for _, x in pairs),
        xn=sum(x * n for n, x in pairs),
        nn=sum(n * n for n, _ in pairs),
    )


def test_interval_of_independent_results_is_that_of_the_t_test() -> None:
    # scipy.stats.t.interval(0.95, 3, loc=0.55, scale=scipy.stats.sem([0.2, 0.5, 0.7, 0.8]))
    assert mean_interval(sums([[0.2], [0.5], [0.7], [0.8]])) == pytest.approx((0.1290, 0.9710), abs=1e-3)


def test_repeated_answers_to_one_task_do_not_narrow_the_interval() -> None:
    once = mean_interval(sums([[0.2], [0.5], [0.7], [0.8]]))
    four_times = mean_interval(sums([[0.2] * 4, [0.5] * 4, [0.7] * 4, [0.8] * 4]))
    assert four_times == pytest.approx(once)


def test_turns_of_a_conversation_are_one_cluster_of_the_standard_error() -> None:
    # statsmodels 0.15: OLS on a constant, cov_type="cluster", times G/(G-1), for four conversations of three turns.
    first = [1, 0, 1, 1, 0, 0, 1, 1, 1, 0, 0, 1]
    second = [1, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 0]
    differences = [float(a - b) for a, b in zip(first, second, strict=True)]
    clustered = standard_error(sums([differences[at : at + 3] for at in range(0, 12, 3)]))
    assert clustered == pytest.approx(0.083333, abs=1e-6)
    # For comparison, the standard error if the twelve values were independent.
    assert standard_error(sums([[difference] for difference in differences])) == pytest.approx(0.130558, abs=1e-6)


@pytest.mark.parametrize("clusters", [[[0.4]], [[0.4] * 100], [[0.9], [0.9], [0.9]]])
def test_interval_with_unknown_variance_is_none(clusters: list[list[float]]) -> None:
    assert mean_interval(sums(clusters)) is None


@given(st.lists(st.lists(st.floats(0, 1), min_size=1, max_size=4), min_size=2, max_size=30))
def test_interval_contains_the_mean_and_stays_within_0_and_1(clusters: list[list[float]]) -> None:
    found = sums(clusters)
    interval = mean_interval(found)
    if interval is not None:
        low, high = interval
        assert 0 <= low <= found.x / found.n + 1e-9
        assert found.x / found.n - 1e-9 <= high <= 1


@pytest.mark.parametrize(
    ("rate", "n", "low", "high"),
    # scipy.stats.binomtest(k, n).proportion_ci(method="wilson")
    [(0.5, 10, 0.236593, 0.763407), (1.0, 10, 0.722467, 1.0), (0.0, 20, 0.0, 0.161125), (0.8, 100, 0.711170, 0.866634)],
)
def test_rate_interval_equals_wilsons(rate: float, n: int, low: float, high: float) -> None:
    assert rate_interval(rate, n) == pytest.approx((low, high), abs=1e-5)


def passes(clusters: list[list[int]]) -> Clusters:
    return sums([[float(passed) for passed in cluster] for cluster in clusters])


def test_pass_interval_of_single_epochs_is_wilsons() -> None:
    assert pass_interval(passes([[1]] * 17 + [[0]] * 3)) == rate_interval(0.85, 20)
    assert pass_interval(passes([[1]] * 20)) == rate_interval(1.0, 20)


def test_epochs_that_agree_count_as_one_result() -> None:
    once = pass_interval(passes([[1]] * 34 + [[0]] * 6))
    assert pass_interval(passes([[1] * 4] * 34 + [[0] * 4] * 6)) == pytest.approx(once, abs=1e-9)


def test_independent_epochs_count_almost_as_separate_results() -> None:
    independent = passes([[1, 1, 0, 0]] * 40 + [[1, 0, 0, 0]] * 20 + [[1, 1, 1, 0]] * 20)
    assert effective_results(independent) == pytest.approx(320, rel=0.05)


def test_epochs_count_as_one_result_if_everything_passed() -> None:
    assert effective_results(passes([[1] * 4] * 20)) == 20


@given(st.lists(st.lists(st.integers(0, 1), min_size=1, max_size=5), min_size=2, max_size=20))
def test_effective_results_lie_between_clusters_and_results(clusters: list[list[int]]) -> None:
    found = passes(clusters)
    effective = effective_results(found)
    assert found.n * found.n / found.nn - 1e-9 <= effective <= found.n
    interval = pass_interval(found)
    assert interval is not None
    assert 0 <= interval[0] <= found.x / found.n + 1e-9
    assert found.x / found.n - 1e-9 <= interval[1] <= 1


def test_single_task_has_no_interval() -> None:
    assert rate_interval(1.0, 1) is None
    assert pass_interval(passes([[1, 0, 1]])) is None
    assert math.isfinite(t_975(1))
