"""Paired statistics against reference values (scipy 1.17, statsmodels 0.15) and against themselves.

`vectors_comparison.json` holds inputs, expected values and what produced them."""

import json
from pathlib import Path
from statistics import NormalDist
from typing import Any

import pytest

from orchestrator.domain.comparison.paired import (
    Differences,
    benjamini_hochberg,
    bootstrap_interval,
    holm,
    mcnemar_p,
    variance,
    wilcoxon_p,
)
from orchestrator.domain.intervals import rate_interval

VECTORS: dict[str, dict[str, Any]] = json.loads((Path(__file__).parent / "vectors_comparison.json").read_text())
EXACT = 1e-6


def paired(name: str) -> Differences:
    given_ = VECTORS[name]["inputs"]
    return Differences.of(c - b for c, b in zip(given_["candidate"], given_["baseline"], strict=True))


def test_wilcoxon_ranks_rounded_differences() -> None:
    expected = VECTORS["paired_tests"]["expected"]
    assert wilcoxon_p(paired("paired_tests")) == pytest.approx(expected["wilcoxon_p_rounded_diffs"], abs=EXACT)
    assert wilcoxon_p(paired("paired_tests")) != pytest.approx(expected["wilcoxon_p_exact"], abs=EXACT)


def test_mcnemar_is_corrected_when_many_and_exact_when_few() -> None:
    inputs, expected = VECTORS["mcnemar_large"]["inputs"], VECTORS["mcnemar_large"]["expected"]
    many = mcnemar_p(inputs["only_candidate_pass"], inputs["only_baseline_pass"])
    assert many == pytest.approx(expected["p_cc"], abs=EXACT)
    # 2 · P(X ≤ 5), X of 20 fair coins: scipy.stats.binomtest(5, 20)
    assert mcnemar_p(15, 5) == pytest.approx(0.04138947, abs=EXACT)
    assert mcnemar_p(12, 12) == 1
    assert mcnemar_p(13, 12) == pytest.approx(1)
    assert mcnemar_p(0, 0) is None


def test_holm_steps_down() -> None:
    vector = VECTORS["multiple_testing"]
    assert holm(vector["inputs"]["p"]) == pytest.approx(vector["expected"]["holm"]["adj"], abs=EXACT)
    assert holm([None, 0.02, None, 0.01]) == [None, 0.02, None, 0.02]
    assert holm([]) == []


def test_benjamini_and_hochberg_step_up() -> None:
    vector = VECTORS["multiple_testing"]
    assert benjamini_hochberg(vector["inputs"]["p"]) == pytest.approx(vector["expected"]["bh"]["adj"], abs=EXACT)
    assert benjamini_hochberg([None, 0.02, None, 0.01]) == [None, 0.02, None, 0.02]
    assert benjamini_hochberg([None]) == [None]


def test_epochs_of_a_case_are_one_cluster() -> None:
    inputs, expected = VECTORS["miller_paired_clustered"]["inputs"], VECTORS["miller_paired_clustered"]["expected"]
    of_case: dict[int, list[float]] = {}
    for a, b, case in zip(inputs["score_a"], inputs["score_b"], inputs["cluster"], strict=True):
        of_case.setdefault(case, []).append(a - b)
    differences = Differences.of(sum(found) / len(found) for found in of_case.values())
    assert differences.mean == pytest.approx(expected["mean_diff"], abs=EXACT)
    spread = variance(differences)
    assert spread is not None
    error = (spread / differences.cases) ** 0.5
    assert error == pytest.approx(expected["statsmodels_cluster_G_over_G-1"], abs=EXACT)


@pytest.mark.parametrize("name", ["passrate_20_20", "passrate_17_20"])
def test_pass_rates_have_wilson_intervals(name: str) -> None:
    inputs, expected = VECTORS[name]["inputs"], VECTORS[name]["expected"]
    assert rate_interval(inputs["k"] / inputs["n"], inputs["n"]) == pytest.approx(expected["wilson95"], abs=EXACT)


@pytest.mark.parametrize("size", [400, 4_000])
def test_the_bootstrap_tends_to_the_normal_interval(size: int) -> None:
    """Few values are drawn by their counts, many one by one: both are the same distribution."""
    few = Differences.of((index * 7_919 % 21 - 8) / 100 for index in range(size))
    many = Differences.of((index * 7_919 % size - 0.4 * size) / size for index in range(size))
    for differences in (few, many):
        interval, mean, spread = bootstrap_interval(differences), differences.mean, variance(differences)
        assert interval is not None
        assert mean is not None
        assert spread is not None
        half = NormalDist().inv_cdf(0.975) * (spread / size) ** 0.5
        assert interval == pytest.approx((mean - half, mean + half), abs=half * 0.06)
        assert bootstrap_interval(differences) == interval, "the same cases, the same bounds"


def test_what_does_not_vary_has_no_interval_and_what_does_not_differ_no_test() -> None:
    assert bootstrap_interval(Differences.of([0.1] * 9)) is None
    assert bootstrap_interval(Differences.of([])) is None
    assert wilcoxon_p(Differences.of([0.0, -0.0, 1e-12])) is None
