"""Test what the analysis of an experiment decides, when it may decide, and the text of its decision."""

from dataclasses import replace

import numpy as np
import pytest
from experiments.analysis.made_experiments import (
    LATENCY,
    SAFETY,
    clusters,
    noisy,
    of_variant,
    scores,
    setup,
    variants,
)

from orchestrator.experiments.domain.analysis.analyse import analyse
from orchestrator.experiments.domain.analysis.types import Clusters, GuardrailMetric, State, VariantData
from orchestrator.experiments.domain.words import Design, Method

BASE = scores(0.5)
FIXED = (Method.FREQUENTIST, Method.BAYESIAN)


def pair_of(shift: float, n: int = 100) -> list[VariantData]:
    return [of_variant("control", BASE[:n]), of_variant("new", noisy(BASE, shift)[:n])]


@pytest.mark.parametrize("method", FIXED)
def test_fixed_methods_name_a_winner_with_the_planned_sample_only(method: Method) -> None:
    early = analyse(setup(method), pair_of(0.1, n=99))
    assert (early.state, early.done, early.winner, early.is_significant) == (State.N_LEFT, False, None, None)
    assert (early.sample_left, early.comparisons[0].p_value) == (1, None)
    assert early.comparisons[0].interval is not None
    full = analyse(setup(method), pair_of(0.1))
    assert (full.state, full.done, full.winner, full.is_significant) == (State.SHIP, True, "new", True)
    assert full.sample_left == 0


@pytest.mark.parametrize("method", Method)
@pytest.mark.parametrize(("shift", "state"), [(0.1, State.SHIP), (-0.1, State.ROLL_BACK), (0.0, State.FUTILE)])
@pytest.mark.parametrize("design", Design)
def test_effect_decides_the_state(method: Method, design: Design, shift: float, state: State) -> None:
    base, other = scores(0.5, 1_000), noisy(scores(0.5, 1_000, seed=4), shift)
    data = [of_variant("control", base), of_variant("new", other)]
    found = analyse(setup(method, design, planned=1_000, minimum_effect=0.08), data)
    (comparison,) = found.comparisons
    expected = {State.ROLL_BACK, State.FUTILE} if state is State.ROLL_BACK else {state}
    assert found.state in expected
    assert found.winner == ("new" if state is State.SHIP else None)
    assert comparison.interval is not None
    low, high = comparison.interval
    assert low is not None
    assert high is not None
    assert low <= shift <= high
    assert comparison.favourable is (comparison.expected is not None and comparison.expected > 0)


def test_sequential_method_stops_as_soon_as_the_interval_excludes_no_difference() -> None:
    designed = setup(Method.SEQUENTIAL, minimum=5)
    looks = [analyse(designed, pair_of(0.12, n=n)) for n in range(5, 101, 5)]
    states = [look.state for look in looks]
    stopped = states.index(State.SHIP)
    assert states == [State.N_LEFT] * stopped + [State.SHIP] * (len(states) - stopped)
    assert [look.done for look in looks] == [state is State.SHIP for state in states]
    assert stopped < len(states) / 2
    assert looks[stopped].out == {"new": looks[stopped].comparisons[0].sentence}
    lows = [interval[0] or 0.0 for look in looks if (interval := look.comparisons[0].interval)]
    assert len(lows) == len(looks)
    assert lows == sorted(lows)


def test_sequential_method_decides_nothing_before_the_minimum_sample() -> None:
    found = analyse(setup(Method.SEQUENTIAL, minimum=60), pair_of(0.2, n=50))
    assert (found.state, found.winner) == (State.N_LEFT, None)
    assert found.comparisons[0].interval is not None


def test_sequential_experiment_without_a_decision_ends_at_its_limit() -> None:
    designed = setup(Method.SEQUENTIAL, minimum_effect=0.02)
    assert analyse(designed, pair_of(0.0)).state is State.LIMIT
    early = analyse(designed, pair_of(0.0, n=50), final=True)
    assert (early.state, early.done, early.winner) == (State.LIMIT, True, None)


@pytest.mark.parametrize("method", FIXED)
def test_incomplete_fixed_experiment_that_has_to_end_names_no_winner(method: Method) -> None:
    found = analyse(setup(method), pair_of(0.3, n=60), final=True)
    assert (found.state, found.done, found.winner) == (State.LIMIT, True, None)


@pytest.mark.parametrize("method", Method)
def test_lost_guardrail_is_harmful_although_the_primary_metric_improves(method: Method) -> None:
    safe = scores(0.9, sd=0.05)
    data = [
        of_variant("control", BASE, safety=safe),
        of_variant("new", noisy(BASE, 0.1), safety=noisy(safe, -0.4, sd=0.05)),
    ]
    found = analyse(setup(method, guardrails=[SAFETY]), data)
    assert (found.state, found.winner) == (State.HARMFUL, None)
    result = found.variants[1].guardrails[0]
    assert (result.lost, result.passed) == (True, False)
    assert "safety" in found.sentence


def test_harm_stops_a_sequential_experiment_before_its_minimum_sample() -> None:
    safe = np.full(40, 0.9)
    data = [
        of_variant("control", BASE[:40], safety=safe),
        of_variant("new", BASE[:40], safety=safe - 0.8),
    ]
    found = analyse(setup(Method.SEQUENTIAL, guardrails=[SAFETY], minimum=60), data)
    assert (found.state, found.done) == (State.HARMFUL, True)


def test_better_treatment_with_an_undecided_guardrail_is_reviewed_at_the_end() -> None:
    safe, noise = scores(0.6, sd=0.3, seed=5), scores(0.6, sd=0.3, seed=6)
    data = [
        of_variant("control", BASE, safety=safe),
        of_variant("new", noisy(BASE, 0.1), safety=noise),
    ]
    for method in Method:
        found = analyse(setup(method, guardrails=[replace(SAFETY, margin=0.02)]), data)
        assert (found.state, found.winner, found.is_significant) == (State.REVIEW, None, True)
    early = [of_variant(each.variant_id, each.clusters.totals[:90], safety=safe[:90]) for each in data]
    assert analyse(setup(Method.SEQUENTIAL, guardrails=[replace(SAFETY, margin=0.02)]), early).state is State.N_LEFT


@pytest.mark.parametrize("method", Method)
def test_slower_treatment_loses_a_relative_guardrail(method: Method) -> None:
    random = np.random.default_rng(8)
    seconds = random.gamma(20, 50, 400)
    base = scores(0.5, 400)
    guardrail = GuardrailMetric(LATENCY, margin=0.1)
    designed = setup(method, guardrails=[guardrail], planned=400)
    for factor, state in ((1.0, State.SHIP), (1.8, State.HARMFUL)):
        data = [
            of_variant("control", base, latency=seconds),
            of_variant("new", noisy(base, 0.1), latency=factor * random.gamma(20, 50, 400)),
        ]
        found = analyse(designed, data)
        assert found.state is state, factor
        result = found.variants[1].guardrails[0]
        assert result.relative
        assert result.difference == pytest.approx(factor - 1, abs=0.05)
        assert result.interval is not None


def test_faster_treatment_wins_a_latency_experiment() -> None:
    random = np.random.default_rng(9)
    base = random.gamma(20, 50, 400)
    faster = 0.7 * base * random.gamma(100, 0.01, 400)
    data = [of_variant("control", base), of_variant("new", faster)]
    for method in Method:
        found = analyse(setup(method, metric=LATENCY, planned=400), data)
        assert (found.state, found.winner) == (State.SHIP, "new")
        (comparison,) = found.comparisons
        assert comparison.relative
        assert comparison.favourable
        assert comparison.expected == pytest.approx(-0.3, abs=0.03)
        assert "% lower" in comparison.sentence
    assert any("counts as exactly that much" in each for each in found.assumptions)


def test_cap_of_a_latency_is_unknown_before_the_first_clusters() -> None:
    data = [of_variant("control", [900.0] * 8), of_variant("new", [500.0] * 8)]
    found = analyse(setup(Method.SEQUENTIAL, metric=LATENCY), data)
    assert found.comparisons[0].interval is None
    assert found.comparisons[0].reason is not None
    assert found.state is State.N_LEFT


@pytest.mark.parametrize("method", Method)
def test_missing_answers_make_an_experiment_unhealthy(method: Method) -> None:
    data = [of_variant("control", BASE), of_variant("new", noisy(BASE, 0.2), missing=20)]
    found = analyse(setup(method), data)
    assert (found.state, found.winner, found.is_significant) == (State.UNHEALTHY, None, None)
    assert "83 %" in found.sentence
    assert found.done


def test_missing_cluster_is_not_a_zero() -> None:
    whole = analyse(setup(Method.FREQUENTIST), pair_of(0.05, n=100))
    control, new = pair_of(0.05, n=100)
    weights = [0.0] * 5 + [1.0] * 95
    with_gaps = Clusters([0.0] * 5 + list(new.clusters.totals[5:]), weights)
    found = analyse(setup(Method.FREQUENTIST), [control, replace(new, clusters=with_gaps, answered=95, missing=5)])
    assert found.comparisons[0].sample_size == 95
    assert found.variants[1].mean == pytest.approx(np.mean(new.clusters.totals[5:]))
    assert found.comparisons[0].expected == pytest.approx(whole.comparisons[0].expected, abs=0.02)


def test_units_that_were_not_divided_as_allocated_make_a_split_experiment_unhealthy() -> None:
    data = [of_variant("control", scores(0.5, 700)), of_variant("new", scores(0.6, 500))]
    designed = setup(Method.BAYESIAN, Design.SPLIT, planned=500)
    found = analyse(designed, data)
    assert found.sample_ratio.mismatch
    assert (found.state, found.winner) == (State.UNHEALTHY, None)
    changed = [replace(each, expected_assigned=count) for each, count in zip(data, (700.0, 500.0), strict=True)]
    assert analyse(designed, changed).state is State.SHIP


def test_p_values_of_several_treatments_are_corrected_by_holm() -> None:
    data = [
        of_variant("control", BASE),
        of_variant("a", noisy(BASE, 0.1)),
        of_variant("b", noisy(BASE, 0.0, seed=3)),
    ]
    found = analyse(setup(Method.FREQUENTIST, variants=variants("A", "B")), data)
    a, b = found.comparisons
    assert a.raw_p_value is not None
    assert a.p_value == pytest.approx(2 * a.raw_p_value)
    assert (a.state, b.is_significant) == (State.SHIP, False)
    assert (found.winner, found.best) == ("a", "a")


def test_best_of_several_winners_is_named_and_open_treatments_go_on() -> None:
    designed = setup(Method.SEQUENTIAL, variants=variants("A", "B", "C"), minimum_effect=0.05)
    data = [
        of_variant("control", BASE),
        of_variant("a", noisy(BASE, 0.15)),
        of_variant("b", noisy(BASE, 0.2, seed=3)),
        of_variant("c", noisy(BASE, 0.02, seed=5)[:60]),
    ]
    found = analyse(designed, data)
    assert found.state is State.N_LEFT
    assert (set(found.out), found.winner, found.done) == ({"a", "b"}, None, False)
    ended = analyse(designed, data, final=True)
    assert (ended.state, ended.winner, ended.done) == (State.SHIP, "b", True)


def test_treatment_without_further_calls_keeps_its_decision() -> None:
    early = pair_of(0.15, n=60)
    decided = analyse(setup(Method.SEQUENTIAL), early)
    assert decided.state is State.SHIP
    later = analyse(setup(Method.SEQUENTIAL), [of_variant("control", BASE), early[1]])
    assert later.comparisons[0].state is State.SHIP
    assert later.comparisons[0].interval == decided.comparisons[0].interval


def test_equal_differences_have_no_p_value_and_need_a_review() -> None:
    data = [of_variant("control", [0.5] * 100), of_variant("new", [0.6] * 100)]
    found = analyse(setup(Method.FREQUENTIST, minimum_effect=0.05), data)
    (comparison,) = found.comparisons
    assert (comparison.p_value, comparison.effect_size, comparison.is_significant) == (None, None, False)
    assert comparison.reason is not None
    assert "equal" in comparison.reason
    assert found.state is State.REVIEW


@pytest.mark.parametrize("method", Method)
@pytest.mark.parametrize("design", Design)
def test_empty_experiment_has_reasons_instead_of_figures(method: Method, design: Design) -> None:
    data = [of_variant("control", []), of_variant("new", [])]
    found = analyse(setup(method, design), data)
    assert (found.state, found.winner, found.comparisons[0].expected) == (State.N_LEFT, None, None)
    assert found.comparisons[0].interval is None
    assert found.comparisons[0].reason
    assert all(each.mean is None and each.interval is None and each.reason for each in found.variants)


def test_paired_passes_are_compared_by_their_discordant_cases() -> None:
    control = np.array([1.0] * 80 + [0.0] * 20)
    new = np.array([1.0] * 77 + [0.0] * 3 + [1.0] * 13 + [0.0] * 7)
    passes = replace(setup(Method.BAYESIAN).metric, name="pass_rate", binary=True)
    data = [of_variant("control", control), of_variant("new", new)]
    found = analyse(setup(Method.BAYESIAN, metric=passes), data).comparisons[0]
    assert found.method == "posterior of the discordant cases"
    assert found.probability_of_improvement == pytest.approx(0.994, abs=0.002)
    assert found.risk_of_control is not None
    assert found.risk_of_treatment is not None
    assert found.risk_of_control > found.risk_of_treatment
    split = analyse(setup(Method.BAYESIAN, Design.SPLIT, metric=passes), data).comparisons[0]
    assert split.method == "beta-binomial posterior"
    assert split.probability_of_improvement is not None
    assert split.probability_of_improvement < 0.99


def test_bandit_names_no_winner_and_claims_no_interval() -> None:
    designed = setup(Method.BAYESIAN, Design.SPLIT, is_bandit=True)
    data = [
        replace(of_variant("control", BASE), propensities=[0.5] * 100),
        replace(of_variant("new", scores(0.7, seed=3)), propensities=[0.5] * 100),
    ]
    found = analyse(designed, data)
    assert (found.state, found.winner, found.done, found.is_significant) == (State.REVIEW, None, True, None)
    assert all(each.interval is None and each.reason for each in found.variants)
    assert all(each.interval is None and each.reason for each in found.comparisons)
    new = found.variants[1]
    assert new.inverse_propensity_mean == pytest.approx(new.mean)
    assert new.probability_best == pytest.approx(1)
    assert new.next_allocation == pytest.approx(0.9)


def test_lowered_plan_does_not_change_the_sequence() -> None:
    designed = setup(Method.SEQUENTIAL, horizon=100, minimum_effect=0.01)
    before = analyse(designed, pair_of(0.0, n=90)).comparisons[0]
    after = analyse(replace(designed, planned=90), pair_of(0.0, n=90)).comparisons[0]
    assert (before.state, after.state) == (State.N_LEFT, State.LIMIT)
    assert before.interval == after.interval


def test_analysis_names_its_method_rule_assumptions_and_libraries() -> None:
    for method in Method:
        found = analyse(setup(method), pair_of(0.1))
        assert found.method.startswith(method.value)
        assert found.stopping_rule
        assert found.assumptions
        assert "numpy" in found.library
        assert "scipy" in found.library
        assert found.recommendation == "Use New instead of Control."
    assert analyse(setup(Method.FREQUENTIST), pair_of(0.1)) == analyse(setup(Method.FREQUENTIST), pair_of(0.1))


def test_contradicting_data_is_refused() -> None:
    control, new = pair_of(0.1)
    with pytest.raises(ValueError, match="every variant"):
        analyse(setup(Method.FREQUENTIST), [control])
    with pytest.raises(ValueError, match="every variant"):
        analyse(setup(Method.FREQUENTIST), [control, new, new])
    for bad in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match="finite"):
            analyse(setup(Method.FREQUENTIST), [control, replace(new, clusters=clusters([bad] * 100))])
    with pytest.raises(ValueError, match="bounds"):
        analyse(setup(Method.SEQUENTIAL), [control, replace(new, clusters=clusters([3.0] * 100))])
    with pytest.raises(ValueError, match="more answers"):
        analyse(
            setup(Method.SEQUENTIAL),
            [replace(each, clusters=clusters([1.0] * 100, [4.0] * 100)) for each in (control, new)],
        )
    with pytest.raises(ValueError, match="exactly one control"):
        setup(Method.FREQUENTIST, variants=[replace(each, is_control=True) for each in variants()])


def test_sentence_counts_the_compared_cases_of_the_sample_planned_at_the_start() -> None:
    """One of 28 answers has no value, so the last look decides with 27 cases."""
    values = clusters(BASE[:28], [0.0, *[1.0] * 27])
    data = [replace(each, clusters=values) for each in (of_variant("control", BASE[:28]), of_variant("new", BASE[:28]))]
    found = analyse(setup(Method.SEQUENTIAL, planned=27, horizon=28), data, final=True)
    assert "its faithfulness shows no difference (" in found.sentence
    assert found.sentence.endswith(" points) after 27 of 28 cases.")


def test_sentence_says_when_more_units_than_planned_were_observed() -> None:
    found = analyse(setup(Method.FREQUENTIST, planned=60, outside=True), pair_of(0.1, n=80))
    assert "after 80 units (60 were planned)" in found.sentence
