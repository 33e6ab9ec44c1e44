"""Test the decisions of gates and the verdicts over clusters, and how many clusters a gate needs."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from orchestrator.comparison.domain.clusters import ClusterSums
from orchestrator.comparison.domain.coverage import GatePair
from orchestrator.comparison.domain.gate import GateResult, GateState, decide_gate
from orchestrator.comparison.domain.gate_check import Basis, check_gate
from orchestrator.comparison.domain.planning import needed_clusters, needed_margin, probability_fine
from orchestrator.comparison.domain.verdicts import Judged, Verdict, clusters_needed, verdicts
from orchestrator.comparison.domain.winner import comparisons, leader, rivals

VECTORS: dict[str, dict[str, Any]] = json.loads((Path(__file__).parent / "vectors_verdicts.json").read_text())


def pair(differences: list[float], *, shared: int | None = None) -> GatePair:
    return GatePair(ClusterSums.of(differences), shared or len(differences), len(differences))


def gate(*differences: list[float], margin: float = 0.05) -> GateResult:
    return decide_gate([pair(of_pair) for of_pair in differences], margin=margin)


@pytest.mark.parametrize(
    ("differences", "state", "lower"),
    [
        ([-1.0] * 5, GateState.WORSE, False),
        ([0.0] * 100, GateState.FINE, False),
        ([0.0] * 30, GateState.UNDECIDED, False),
        ([0.3, -0.3] * 200, GateState.FINE, False),
        ([0.3, -0.4] * 200, GateState.UNDECIDED, True),
        ([0.3, -0.6] * 200, GateState.WORSE, False),
        ([1.0, 1.0, 1.0], GateState.UNDECIDED, False),
        ([-0.02, -0.04] * 200, GateState.FINE, False),
    ],
)
def test_gate_state_follows_from_interval_and_margin(differences: list[float], state: GateState, lower: bool) -> None:
    result = gate(differences)
    assert (result.state, result.lower_than_baseline) == (state, lower)


def test_five_lost_cases_never_make_a_gate_fine() -> None:
    for margin in (0.001, 0.05, 0.2, 0.5, 1.0):
        assert gate([-1.0] * 5, margin=margin).state in (GateState.WORSE, GateState.UNDECIDED)


def test_fine_requires_every_pair_and_worse_is_corrected_for_their_number() -> None:
    fine, open_ = [0.3, -0.3] * 200, [0.3, -0.4] * 200
    assert gate(fine, fine).state == GateState.FINE
    mixed = gate(fine, open_)
    assert (mixed.state, mixed.lower_than_baseline) == (GateState.UNDECIDED, True)
    # Five losses in a row have a probability of 1/32 by chance. That is less than .05, but not less than .05 / 2.
    assert gate([-1.0] * 5, fine).state == GateState.UNDECIDED
    assert gate([-1.0] * 8, fine).state == GateState.WORSE
    assert [judged_pair.state for judged_pair in mixed.pairs] == [GateState.FINE, GateState.UNDECIDED]


def test_low_coverage_is_a_state_of_its_own() -> None:
    fine = [0.3, -0.3] * 200
    result = decide_gate([pair(fine, shared=445)], margin=0.05)
    assert result.state == GateState.LOW_COVERAGE
    assert result.pairs[0].coverage == pytest.approx(400 / 445)
    assert decide_gate([pair(fine, shared=444)], margin=0.05).state == GateState.FINE
    assert decide_gate([GatePair(ClusterSums.of([]), 0, 0)], margin=0.05).state == GateState.LOW_COVERAGE
    worse = decide_gate([pair(fine, shared=4_000), pair([-1.0] * 9)], margin=0.05)
    assert worse.state == GateState.WORSE, "a pair that is covered is worse, whatever another lacks"


def test_undecided_gate_says_what_would_decide() -> None:
    differences = [0.5, -0.5] * 60
    (found,) = gate(differences).pairs
    assert found.state == GateState.UNDECIDED
    assert found.margin_needed is not None
    assert gate(differences, margin=found.margin_needed).state == GateState.FINE
    assert gate(differences, margin=found.margin_needed - 0.001).state == GateState.UNDECIDED
    assert found.clusters_needed == needed_clusters(margin=0.05, variance=ClusterSums.of(differences).variance or 0)
    (lost,) = gate([0.3, -0.4] * 200).pairs
    assert lost.clusters_needed is None, "a mean at the margin is never fine, however many cases"


@pytest.mark.parametrize("margin", [0, -0.1, float("nan"), float("inf")])
def test_margin_of_zero_or_less_is_refused(margin: float) -> None:
    with pytest.raises(ValueError, match="margin"):
        gate([0.1] * 20, margin=margin)
    with pytest.raises(ValueError, match="pair"):
        decide_gate([], margin=0.05)


def test_cost_is_gated_by_its_share_of_the_baseline() -> None:
    """The margin is a tenth of the baseline's cost. A cost that is 5 % higher is *fine*, 10 % higher *undecided*, and
    20 % higher *worse*. The differences are negated before the decision, because less cost is better."""
    random = np.random.default_rng(3)
    baseline = random.uniform(0.001, 0.01, 300)

    def dearer(share: float) -> GatePair:
        candidate = baseline * random.normal(1 + share, 0.1, 300)
        rows = ((float(c - b), float(b), 1) for c, b in zip(candidate, baseline, strict=True))
        return GatePair(ClusterSums.tally(rows).mirrored, 300, 300)

    states = [decide_gate([dearer(share)], margin=0.1, bounds=None).state for share in (-0.2, 0.0, 0.05, 0.1, 0.2)]
    assert states == [GateState.FINE] * 3 + [GateState.UNDECIDED, GateState.WORSE]


def test_verdicts_are_corrected_by_holms_method() -> None:
    clear, weak, none = [0.3, 0.1] * 60, [0.9, -0.5, -0.1] * 50, [0.3, -0.3] * 60
    alone = [verdicts([pair(differences)])[0].verdict for differences in (clear, weak, none)]
    assert alone == [Verdict.BETTER, Verdict.BETTER, Verdict.NOT_SEPARABLE]
    together = verdicts([pair(differences) for differences in (none, weak, clear, none, none)])
    assert [judged_pair.verdict for judged_pair in together] == [
        "not separable",
        "not separable",
        "better",
        *["not separable"] * 2,
    ]
    # When the clear difference is decided, Holm's method tests the weak one at .05 alone.
    assert [verdict.verdict for verdict in verdicts([pair(weak), pair(clear)])] == [Verdict.BETTER, Verdict.BETTER]


def test_verdict_agrees_with_the_simultaneous_interval() -> None:
    random = np.random.default_rng(5)
    for judged in verdicts([pair(list(map(float, random.normal(0.05, 0.3, 120)))) for _ in range(8)]):
        assert judged.simultaneous is not None
        assert judged.interval is not None
        assert judged.simultaneous.low <= judged.interval.low <= judged.interval.high <= judged.simultaneous.high
        assert (judged.verdict == Verdict.BETTER) == (judged.simultaneous.low > 0)
        assert (judged.verdict == Verdict.WORSE) == (judged.simultaneous.high < 0)


def test_coverage_under_90_percent_gives_no_verdict() -> None:
    (judged,) = verdicts([pair([0.5] * 20, shared=100)])
    assert (judged.verdict, judged.clusters_needed) == (Verdict.LOW_COVERAGE, None)
    assert judged.interval is not None
    (nothing,) = verdicts([GatePair(ClusterSums.of([]), 10, 0)])
    assert (nothing.verdict, nothing.mean, nothing.interval) == (Verdict.LOW_COVERAGE, None, None)
    # Pairs with low coverage do not count in the correction for several pairs.
    strong = pair([1.0] * 6)
    assert verdicts([strong, pair([0.5] * 20, shared=100)])[0].verdict == Verdict.BETTER


def test_clusters_needed_are_enough_to_separate_the_columns() -> None:
    # (z_.975 + z_.8)² · .0641 / .05² = 201.2 by the normal distribution; the t distribution needs a few more.
    assert clusters_needed(ClusterSums.of([0.3, -0.2] * 20)) == 204
    assert clusters_needed(ClusterSums.of([0.3, -0.3])) is None
    needed = clusters_needed(ClusterSums.of([0.1] * 5))
    assert needed is not None
    assert verdicts([pair([0.1] * needed)])[0].verdict == Verdict.BETTER
    assert verdicts([pair([0.1] * (needed - 3))])[0].verdict == Verdict.NOT_SEPARABLE


def test_clusters_needed_are_those_of_the_interval_that_decides() -> None:
    differences = [0.3, -0.2] * 40
    assert {judged.clusters_needed for judged in verdicts([pair(differences)])} == {201}
    # (z_.99643 + z_.8)² · .0633 / .05² = 315.8 by the normal distribution; the t distribution needs a few more.
    assert {judged.clusters_needed for judged in verdicts([pair(differences)] * 7)} == {320}


def test_winner_follows_from_the_shown_verdicts() -> None:
    means = [0.5, 0.62, 0.6]
    leads = leader(means)
    assert leads == 1
    keys = comparisons(3, baseline=0, leads=leads)
    assert keys == [(1, 0), (2, 0), (1, 2)]
    clear, none = pair([0.3, 0.0] * 60), pair([0.3, -0.3] * 60)
    judged = dict(zip(keys, verdicts([clear, clear, none]), strict=True))
    assert list(rivals(1, judged)) == [2]
    judged = dict(zip(keys, verdicts([clear, clear, clear]), strict=True))
    assert rivals(1, judged) == {}
    of_baseline: dict[tuple[int, int], Judged] = dict(
        zip([(1, 0), (2, 0)], verdicts([pair([-0.3, 0.0] * 60), none]), strict=True)
    )
    assert list(rivals(0, of_baseline)) == [2]


def test_planned_cluster_numbers_equal_those_of_the_noncentral_t() -> None:
    vector = VECTORS["power_mde"]
    given = vector["inputs"]["noninferiority_margin_.02"]
    expected = vector["expected"]["noninferiority_margin_.02"]["n_pairs"]
    assert needed_clusters(margin=given["margin"], variance=given["sd_diff"] ** 2) == expected


def test_thirty_cases_are_too_few_for_a_margin_of_five_hundredths() -> None:
    assert probability_fine(clusters=30, margin=0.05) < 0.2
    assert needed_clusters(margin=0.05) == 620
    margin = needed_margin(clusters=30)
    assert margin == 0.233
    assert probability_fine(clusters=30, margin=margin) >= 0.8
    assert needed_clusters(margin=0.05, effect=-0.05) is None
    assert needed_margin(clusters=2) is None
    with pytest.raises(ValueError, match="margin"):
        probability_fine(clusters=30, margin=0)


def test_pilot_without_variance_does_not_count_as_certainty() -> None:
    assert probability_fine(variance=0, clusters=30, margin=0.05) == 0
    assert needed_clusters(margin=0.05, variance=0) == 68
    assert gate([0.0] * 68).state == GateState.FINE
    assert gate([0.0] * 67).state == GateState.UNDECIDED


def test_several_pairs_lower_the_probability_of_a_fine_gate() -> None:
    one = probability_fine(clusters=900, margin=0.05)
    assert probability_fine(clusters=900, margin=0.05, pairs=3) == pytest.approx(one**3)


@pytest.mark.parametrize(
    ("clusters", "sd", "margin"), [(25, 0.3, 0.2), (40, 0.1, 0.1), (60, 0.08, 0.07), (150, 0.3, 0.06)]
)
def test_planned_probability_equals_the_share_of_simulated_fine_gates(clusters: int, sd: float, margin: float) -> None:
    random = np.random.default_rng(20_261_123)
    fine = sum(
        gate(list(map(float, random.normal(0, sd, clusters))), margin=margin).state == GateState.FINE
        for _ in range(200)
    )
    # The tolerance: four standard deviations of a rate over 200 gates, plus the error of the approximation.
    assert fine / 200 == pytest.approx(probability_fine(variance=sd**2, clusters=clusters, margin=margin), abs=0.16)


def test_unchanged_model_compared_with_itself_is_rarely_undecided_and_never_worse() -> None:
    random = np.random.default_rng(7)
    rates = random.beta(2, 2, 150)
    epochs = [[[float(passed) for passed in random.random(4) < rate]] for rate in rates]
    found = check_gate(epochs, margin=0.15, checks=60)
    assert (found.basis, found.checks, found.clusters) == (Basis.EPOCHS, 60, 150)
    assert found.fine + found.worse + found.undecided == 60
    assert found.fine > 50
    assert found.worse == 0
    assert found == check_gate(epochs, margin=0.15, checks=60)
    once = check_gate([[case[:1]] for (case,) in epochs], margin=0.15, checks=20)
    assert (once.basis, once.clusters) == (Basis.CASES, 75)
    with pytest.raises(ValueError, match="neither"):
        check_gate([[[0.5]]], margin=0.1)
