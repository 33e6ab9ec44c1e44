"""Test the intervals of mean differences against reference values, and the guarantees that they claim.

`vectors_verdicts.json` names the source of its values.
"""

import json
import math
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orchestrator.comparison.domain.betting import Betting
from orchestrator.comparison.domain.clusters import ClusterSums
from orchestrator.comparison.domain.interval import SCORES, MeanTest, mean_interval
from orchestrator.comparison.domain.resampling import BootstrapT, SignFlip

VECTORS: dict[str, dict[str, Any]] = json.loads((Path(__file__).parent / "vectors_verdicts.json").read_text())


def paired(inputs: dict[str, list[float]]) -> ClusterSums:
    return ClusterSums.of(c - b for c, b in zip(inputs["candidate"], inputs["baseline"], strict=True))


@pytest.mark.parametrize("name", ["paired_t_12", "paired_t_pass_fail_40"])
def test_mean_and_variance_equal_those_of_the_paired_t_test(name: str) -> None:
    sums, expected = paired(VECTORS[name]["inputs"]), VECTORS[name]["expected"]
    assert sums.mean == pytest.approx(expected["mean_diff"], abs=1e-6)
    assert sums.variance is not None
    assert math.sqrt(sums.variance / sums.clusters) == pytest.approx(expected["se"], abs=1e-6)


@pytest.mark.parametrize("case", ["constant_shift_exact", "constant_shift_float_noise", "all_equal", "one_pair"])
def test_rounding_noise_does_not_count_as_variance(case: str) -> None:
    sums = paired(VECTORS["paired_t_degenerate"]["inputs"][case])
    assert not sums.has_spread
    assert mean_interval(sums, alpha_low=0.05, alpha_high=0.05).method == "betting"


@pytest.mark.parametrize("name", ["studentised_skewed_12", "studentised_symmetric_11"])
def test_bootstrap_t_bounds_equal_those_of_all_resamples(name: str) -> None:
    sums, expected = paired(VECTORS[name]["inputs"]), VECTORS[name]["expected"]
    found = BootstrapT(sums)
    assert (found.low(0.025), found.high(0.025)) == pytest.approx(
        expected["bootstrap_t_ci95"], abs=0.1 * expected["se"]
    )


@pytest.mark.parametrize("name", ["studentised_skewed_12", "studentised_symmetric_11"])
def test_sign_flip_bounds_reach_zero_at_the_exact_p_value(name: str) -> None:
    sums, expected = paired(VECTORS[name]["inputs"]), VECTORS[name]["expected"]
    p = expected["signflip_permutation_p_exact"] / 2
    found = SignFlip(sums)
    assert found.low(p - 0.001) <= 0 < found.low(p + 0.001)


def test_bootstrap_without_a_bound_is_replaced_by_betting() -> None:
    expected = VECTORS["studentised_near_binary_30"]["expected"]
    sums = ClusterSums.of([0.1] * 27 + [-0.9] * 3)
    found = BootstrapT(sums)
    assert found.low(0.025) == -math.inf
    high = expected["bootstrap_t_ci95_degenerate_counted_as_infinite"][1]
    assert found.high(0.025) == pytest.approx(high, abs=0.1 * expected["se"])
    interval = mean_interval(sums, alpha_low=0.025, alpha_high=0.025)
    assert interval.method == "betting / bootstrap-t, sign-flip"
    assert -0.9 < interval.low < 0 < interval.high


def test_betting_needs_about_as_many_equal_cases_as_the_rule_of_three() -> None:
    """A loss in one case of twenty is absent from 58 drawn cases with a probability above .05: .95^59 < .05 <= .95^58.

    So every valid bound needs at least 59 cases without a difference to rule out a loss of 5 %. The betting bound needs
    at most 68.
    """
    assert Betting(ClusterSums.of([0] * 58), SCORES).low(0.05) < -0.05
    assert Betting(ClusterSums.of([0] * 68), SCORES).low(0.05) > -0.05


def test_five_losses_are_significant_at_one_in_32() -> None:
    bets = Betting(ClusterSums.of([-1] * 5), SCORES)
    assert bets.high(1 / 31) < 0 < bets.high(1 / 33)
    # With each loss the capital grows by the factor 2 / (1 - m), where m is the upper bound. No valid upper bound is
    # lower.
    assert bets.high(0.05) == pytest.approx(1 - 2 * 0.05**0.2, abs=1e-9)


@pytest.mark.parametrize(
    ("differences", "method"),
    [
        ([0.1, -0.2, 0.3] * 3, "betting"),
        ([1.0, -1.0, 0.0, 0.0, 1.0] * 2, "bootstrap-t, sign-flip"),
        ([0.1] * 400, "betting"),
        ([0.3, -0.1] * 50, "bootstrap-t, t"),
    ],
)
def test_method_depends_on_the_number_of_clusters_and_their_variance(differences: list[float], method: str) -> None:
    assert mean_interval(ClusterSums.of(differences), alpha_low=0.05, alpha_high=0.05).method == method


def test_small_sample_with_little_variance_does_not_rule_out_a_loss() -> None:
    noise = np.random.default_rng(20_261_123).normal(0, 0.02, 10)
    interval = mean_interval(ClusterSums.of(0.1 + noise), alpha_low=0.05, alpha_high=0.05)
    assert interval.method == "betting"
    assert interval.low < 0


def test_interval_is_computed_from_cluster_sums() -> None:
    """The mean is over pairs of scores. All questions about one document form one cluster, whose sum counts as a single
    observation in the interval."""
    sums = ClusterSums.tally([(3.0, 10, 1), (0.5, 2, 1)])
    assert sums.mean == pytest.approx(3.5 / 12)
    assert (sums.clusters, sums.pairs) == (2, 12)
    questions = ClusterSums.of([0.3, -0.1] * 100)
    documents = ClusterSums.tally([(3.0, 10, 10), (-1.0, 10, 10)])
    assert questions.mean == documents.mean
    narrow = mean_interval(questions, alpha_low=0.05, alpha_high=0.05)
    wide = mean_interval(documents, alpha_low=0.05, alpha_high=0.05)
    assert wide.high - wide.low > 2 * (narrow.high - narrow.low)


def test_few_unbounded_differences_give_an_infinite_interval() -> None:
    few = mean_interval(ClusterSums.of([1.0, 2.0, 3.0]), alpha_low=0.05, alpha_high=0.05, bounds=None)
    assert (few.low, few.high) == (-math.inf, math.inf)
    equal = [mean_interval(ClusterSums.of([0.0] * n), alpha_low=0.05, alpha_high=0.05, bounds=None) for n in (58, 59)]
    assert [interval.low for interval in equal] == [-math.inf, 0]
    many = mean_interval(ClusterSums.of([900.0, 1100.0] * 50), alpha_low=0.05, alpha_high=0.05, bounds=None)
    assert 975 < many.low < 1000 < many.high < 1025


def test_interval_of_100_000_clusters_is_computed_in_linear_time() -> None:
    random = np.random.default_rng(1)
    sums = ClusterSums.tally(
        (float(total), int(weight), 1)
        for total, weight in zip(random.normal(0, 0.3, 100_000), random.integers(1, 9, 100_000), strict=True)
    )
    mean_interval(ClusterSums.of([0.3, -0.1] * 50), alpha_low=0.05, alpha_high=0.05)  # imports scipy, too
    began = time.thread_time()
    interval = mean_interval(sums, alpha_low=0.05, alpha_high=0.05)
    assert time.thread_time() - began < 20, "linear in the clusters: a quadratic rule takes minutes"
    mean, variance = sums.mean, sums.variance
    assert mean is not None
    assert variance is not None
    half = 1.645 * math.sqrt(variance / 100_000)
    assert (interval.low, interval.high) == pytest.approx((mean - half, mean + half), abs=0.1 * half)


def test_interval_without_pairs_raises_an_error() -> None:
    with pytest.raises(ValueError, match="without a pair"):
        mean_interval(ClusterSums.of([]), alpha_low=0.05, alpha_high=0.05)
    assert ClusterSums.tally([(0.5, 0, 3), (0.5, 1, 0), (0.0, 1e-12, 1)]).mean is None


DIFFERENCES = st.lists(st.integers(-10, 10).map(lambda tenths: tenths / 10), min_size=1, max_size=40)


@settings(max_examples=60, deadline=None)
@given(DIFFERENCES, st.sampled_from([0.05, 0.025, 0.004]))
def test_swapped_columns_have_mirrored_bounds(differences: list[float], alpha: float) -> None:
    forth = MeanTest(ClusterSums.of(differences)).interval(alpha_low=alpha, alpha_high=alpha)
    back = MeanTest(ClusterSums.of(-difference for difference in differences)).interval(
        alpha_low=alpha, alpha_high=alpha
    )
    assert (forth.low, forth.high) == (-back.high, -back.low)
    assert -1 <= forth.low <= forth.mean <= forth.high <= 1


@settings(max_examples=40, deadline=None)
@given(DIFFERENCES)
def test_bounds_of_higher_confidence_are_wider(differences: list[float]) -> None:
    test = MeanTest(ClusterSums.of(differences))
    lows = [test.low(alpha)[0] for alpha in (0.05, 0.025)]
    by_method = {test.low(alpha)[1] for alpha in (0.05, 0.025)}
    if len(by_method) == 1:
        assert lows[0] >= lows[1]
