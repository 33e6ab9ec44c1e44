"""Test the errors, power, savings and coverage in simulated experiments whose truth is known. `make bench
ONLY=experiments` runs the long version.

The product claims how often each result occurs at most, or at least. A test fails only if the 99 % binomial bound of
the simulated rate excludes the claimed rate. All seeds are fixed, so the results never change.
"""

import pytest

from benchmarks.experiment_coverage import bandit, coverages
from benchmarks.experiment_rows import KINDS, NULLS, Count, Null, false_positives, peeking, savings


@pytest.mark.parametrize("null", NULLS, ids=lambda null: null.name)
def test_sequential_method_keeps_its_false_positives_over_all_looks(null: Null) -> None:
    assert [count.name for count in false_positives(null, 200) if count.refuted] == []


def test_method_for_one_look_fails_when_it_is_looked_at() -> None:
    for count in peeking(20):
        assert Count(count.name, count.hits, count.replications, most=0.05).refuted


def test_sequential_method_has_its_power_and_saves_calls() -> None:
    found = {times: savings(next(iter(KINDS)), times, 200) for times in (0, 1, 2)}
    assert [each.shipped.name for each in found.values() if each.shipped.refuted] == []
    assert found[0].saved > 0.3
    assert found[1].saved > 0.3
    assert found[2].saved > 0.7


def test_intervals_have_their_coverage() -> None:
    assert [count.name for count in coverages(200) if count.refuted] == []


def test_bandit_loses_less_than_equal_allocation_and_its_means_are_biased() -> None:
    found = bandit(20)
    assert found.regret < 0.8 * found.uniform_regret
    assert abs(found.bias_of_inverse_propensity_mean) < 0.03


def test_refuted_claims_are_those_outside_the_binomial_bound() -> None:
    assert Count("", 80, 1_000, most=0.05).refuted
    assert not Count("", 60, 1_000, most=0.05).refuted
    assert Count("", 920, 1_000, least=0.95).refuted
    assert not Count("", 940, 1_000, least=0.95).refuted
    assert not Count("", 1_000, 1_000).refuted
