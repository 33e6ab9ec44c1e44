"""Test how experiments are planned: the number of clusters that they need, the assignment of units to variants, and the
allocation by bandits.
"""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from experiments.analysis.made_experiments import LATENCY, SCORE, of_variant, setup, variants

from orchestrator.experiments.domain.analysis.allocation import allocate, assign, inverse_propensity_means
from orchestrator.experiments.domain.analysis.health import sample_ratio
from orchestrator.experiments.domain.analysis.planning import plan
from orchestrator.experiments.domain.analysis.types import Variant, VariantCost
from orchestrator.experiments.domain.words import Design, Method


@pytest.mark.parametrize("method", Method)
@pytest.mark.parametrize("design", Design)
def test_smaller_effects_need_more_clusters(method: Method, design: Design) -> None:
    found = plan(setup(method, design), variance=0.1, available=10_000, effects=[0.02, 0.05, 0.1, 0.3])
    sizes = [point.sample_size for point in found.curve if point.sample_size is not None]
    assert sizes == sorted(sizes, reverse=True)
    assert len(sizes) == 4
    powers = [point.power for point in found.curve]
    assert powers == sorted(powers)
    assert (found.enough, found.planned) == (True, found.sample_size)
    assert found.power >= 0.8
    assert found.minimum_detectable_effect == pytest.approx(0.1, rel=0.05)


def test_more_treatments_variance_or_power_need_more_clusters() -> None:
    designed = setup(Method.FREQUENTIST)
    size = plan(designed, variance=0.1, available=10_000).sample_size
    assert size is not None
    for other in (
        plan(designed, variance=0.2, available=10_000),
        plan(designed, variance=0.1, available=10_000, power=0.9),
        plan(replace(designed, variants=variants("A", "B", "C")), variance=0.1, available=10_000),
        plan(replace(designed, method=Method.SEQUENTIAL), variance=0.1, available=10_000),
    ):
        assert other.sample_size is not None
        assert other.sample_size > size


def test_sequential_plan_expects_fewer_calls_than_it_may_use() -> None:
    found = plan(setup(Method.SEQUENTIAL), variance=0.1, available=10_000)
    assert found.expected_calls is not None
    assert found.expected_calls < 0.75 * found.calls
    assert plan(setup(Method.FREQUENTIST), variance=0.1, available=10_000).expected_calls is None


def test_too_few_cases_are_said_before_the_start() -> None:
    found = plan(setup(Method.SEQUENTIAL), variance=0.25, available=40)
    assert (found.enough, found.planned) == (False, 40)
    assert found.power < 0.5
    assert found.warnings
    assert "40" in found.warnings[0]
    nothing = plan(setup(Method.SEQUENTIAL), variance=0.1, available=0)
    assert (nothing.planned, nothing.power, nothing.minimum_detectable_effect) == (0, 0.0, None)


def test_plan_counts_calls_costs_and_time() -> None:
    costs = {
        "control": VariantCost(calls=2, cost_usd=0.01, seconds=3),
        "new": VariantCost(calls=1, cost_usd=0.03, seconds=1),
    }
    found = plan(setup(Method.FREQUENTIST), variance=0.1, available=10_000, costs=costs, concurrency=4)
    size = found.planned
    assert found.calls == 3 * size
    assert found.cost_usd == pytest.approx(0.04 * size)
    assert found.duration_s == pytest.approx(size)
    assert plan(setup(Method.FREQUENTIST), variance=0.1, available=100).cost_usd is None
    shares = [Variant("control", "Control", True, 0.75), Variant("new", "New", False, 0.25)]
    split = setup(Method.FREQUENTIST, Design.SPLIT, variants=shares)
    found = plan(split, variance=0.1, available=10_000, costs=costs)
    assert found.calls == (3 * 2 + 1) * found.planned


def test_relative_plan_needs_no_bounds() -> None:
    designed = setup(Method.SEQUENTIAL, metric=LATENCY)
    found = plan(designed, variance=0.1, available=100_000)
    capped = plan(replace(designed, metric=replace(LATENCY, cap=5_000.0)), variance=0.1, available=100_000)
    assert found.sample_size is not None
    assert capped.sample_size is not None
    assert found.sample_size >= capped.sample_size + 10


def test_unit_keeps_its_variant_and_shares_are_those_allocated() -> None:
    arms = [Variant("b", "B", True, 0.5), Variant("a", "A", False, 0.2), Variant("c", "C", False, 0.3)]
    given = {f"user-{at}": assign(7, f"user-{at}", arms) for at in range(20_000)}
    assert all(assign(7, unit, list(reversed(arms))) == variant for unit, variant in list(given.items())[:200])
    counts = Counter(given.values())
    ratio = sample_ratio([counts[arm.id] for arm in arms], [arm.traffic_allocation for arm in arms])
    assert ratio.p_value is not None
    assert ratio.p_value > 0.01
    both = Counter((given[unit], assign(8, unit, arms)) for unit in given)
    assert both["b", "b"] / 20_000 == pytest.approx(0.25, abs=0.01)


def test_bandit_starts_equally_and_keeps_a_floor() -> None:
    designed = setup(Method.BAYESIAN, Design.SPLIT, is_bandit=True, variants=variants("A", "B"))
    few = [of_variant(name, [0.5, 0.6]) for name in ("control", "a", "b")]
    assert allocate(designed, few) == pytest.approx({"control": 1 / 3, "a": 1 / 3, "b": 1 / 3})
    random = np.random.default_rng(3)
    data = [
        of_variant(name, np.clip(random.normal(mean, 0.1, 60), 0, 1))
        for name, mean in (("control", 0.3), ("a", 0.7), ("b", 0.35))
    ]
    shares = allocate(designed, data)
    assert sum(shares.values()) == pytest.approx(1)
    assert shares == pytest.approx({"control": 0.1, "a": 0.8, "b": 0.1}, abs=1e-3)
    slower = replace(designed, metric=replace(SCORE, direction=LATENCY.direction))
    assert allocate(slower, data)["control"] > 0.5


def test_bandit_with_equal_values_still_allocates() -> None:
    designed = setup(Method.BAYESIAN, Design.SPLIT, is_bandit=True)
    data = [of_variant("control", [0.0] * 10), of_variant("new", [1.0] * 10)]
    assert allocate(designed, data)["new"] > 0.85
    same = replace(designed, metric=LATENCY)
    assert allocate(same, [of_variant("control", [5.0] * 10), of_variant("new", [9.0] * 10)])["new"] == 0.5


def test_inverse_propensity_mean_weighs_rare_units_more() -> None:
    data = [
        replace(of_variant("control", [1.0, 0.0]), propensities=[0.5, 0.25]),
        of_variant("new", [1.0]),
    ]
    assert inverse_propensity_means(data) == {"control": pytest.approx(1 / 3), "new": None}
    with pytest.raises(ValueError, match="above 0"):
        inverse_propensity_means([replace(data[0], propensities=[0.5, 0.0])])
