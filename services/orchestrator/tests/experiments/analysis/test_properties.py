"""Test properties of the analysis that hold for all data, such as symmetry, bounds and monotonicity."""

import math

import numpy as np
import pytest
from experiments.analysis.made_experiments import Floats, of_variant, setup
from hypothesis import given, settings
from hypothesis import strategies as st

from orchestrator.experiments.domain.analysis import beta_binomial
from orchestrator.experiments.domain.analysis.analyse import analyse
from orchestrator.experiments.domain.analysis.bayes import effect_posterior
from orchestrator.experiments.domain.analysis.estimates import Estimate, welch
from orchestrator.experiments.domain.analysis.health import sample_ratio
from orchestrator.experiments.domain.analysis.mixtures import pass_rate_sequence
from orchestrator.experiments.domain.analysis.multiplicity import holm
from orchestrator.experiments.domain.analysis.sequential import Sequence, bounded_mean
from orchestrator.experiments.domain.words import Method

SCORES = st.lists(st.floats(0, 1).map(lambda value: round(value, 3)), min_size=2, max_size=25)
PAIRS = st.lists(st.tuples(*[st.floats(0, 1).map(lambda value: round(value, 3))] * 2), min_size=2, max_size=25)
STEADY = settings(derandomize=True, deadline=None, max_examples=40)
"""Settings of Hypothesis with the same examples in every run, however slow the machine is."""
P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=8)


def array(values: list[float]) -> Floats:
    return np.array(values, dtype=np.float64)


def differences(pairs: list[tuple[float, float]]) -> Sequence:
    values = array([b - a for a, b in pairs])
    return bounded_mean(values, np.ones(len(values)), bounds=(-1.0, 1.0), planned=50, largest=1.0)


@STEADY
@given(SCORES, SCORES)
def test_welch_test_is_antisymmetric_and_has_no_unit(a: list[float], b: list[float]) -> None:
    forward, backward = welch(array(a), array(b)), welch(array(b), array(a))
    assert forward.mean == pytest.approx(-(backward.mean or 0.0))
    assert forward.p_two_sided() == backward.p_two_sided()
    seconds = welch(array(a) * 1000, array(b) * 1000)
    assert (seconds.p_two_sided() is None) == (forward.p_two_sided() is None)
    if forward.p_two_sided() is not None:
        assert seconds.p_two_sided() == pytest.approx(forward.p_two_sided())


@STEADY
@given(PAIRS)
def test_confidence_sequence_is_mirrored_and_within_bounds(pairs: list[tuple[float, float]]) -> None:
    forward, backward = differences(pairs), differences([(b, a) for a, b in pairs])
    low, high = forward.low(0.025), forward.high(0.025)
    assert (low, high) == pytest.approx((-backward.high(0.025), -backward.low(0.025)), abs=1e-7)
    assert low >= -1
    assert high <= 1


@STEADY
@given(PAIRS)
def test_confidence_sequence_only_narrows(pairs: list[tuple[float, float]]) -> None:
    before, after = differences(pairs[:-1]), differences(pairs)
    assert after.low(0.025) >= before.low(0.025) - 1e-7
    assert after.high(0.025) <= before.high(0.025) + 1e-7
    assert after.low(0.01) <= after.low(0.1) + 1e-7


@STEADY
@given(PAIRS, st.floats(-0.9, 0.9))
def test_value_is_excluded_exactly_if_it_lies_outside_the_interval(
    pairs: list[tuple[float, float]], value: float
) -> None:
    found = differences(pairs)
    low, high = found.low(0.05), found.high(0.05)
    after = found.excluded_after(value, 0.05, from_below=True)
    if abs(value - low) > 1e-6:
        assert (after is not None) == (value < low)
    if after is not None:
        assert differences(pairs[:after]).low(0.05) >= value - 1e-6
        if after > 1:
            assert differences(pairs[: after - 1]).low(0.05) <= value + 1e-6
    if abs(value - high) > 1e-6:
        assert (found.excluded_after(value, 0.05, from_below=False) is not None) == (value > high)


@STEADY
@given(P_VALUES)
def test_adjusted_p_values_keep_the_order_and_are_never_smaller(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    assert all(p - 1e-12 <= each <= 1 for p, each in zip(p_values, adjusted, strict=True))
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    assert [adjusted[at] for at in order] == sorted(adjusted)


@STEADY
@given(st.floats(-1, 1), st.floats(0.001, 1), st.floats(2, 200))
def test_risks_differ_by_the_expected_difference(mean: float, error: float, df: float) -> None:
    found = effect_posterior(Estimate(mean, error, df, 10, "t"), 0.05)
    assert found is not None
    assert found.risk_of_control is not None
    assert found.risk_of_treatment is not None
    assert found.risk_of_control - found.risk_of_treatment == pytest.approx(mean, abs=1e-9)
    assert min(found.risk_of_control, found.risk_of_treatment) >= 0
    assert (found.probability_of_improvement > 0.5) == (mean > 0) or mean == pytest.approx(0)
    mirrored = effect_posterior(Estimate(-mean, error, df, 10, "t"), 0.05)
    assert mirrored is not None
    assert mirrored.probability_of_improvement == pytest.approx(1 - found.probability_of_improvement)
    assert mirrored.risk_of_treatment == pytest.approx(found.risk_of_control, abs=1e-9)


@STEADY
@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 40), st.integers(0, 40))
def test_posterior_of_pass_rates_is_antisymmetric(a: int, b: int, c: int, d: int) -> None:
    one, other = beta_binomial.posterior(a, b), beta_binomial.posterior(c, d)
    forward = beta_binomial.split_posterior(one, other, 0.05)
    backward = beta_binomial.split_posterior(other, one, 0.05)
    assert forward.probability_of_improvement == pytest.approx(1 - backward.probability_of_improvement, abs=1e-5)
    assert forward.risk_of_control == pytest.approx(backward.risk_of_treatment, abs=1e-5)
    assert -1 <= forward.low < forward.high <= 1


@STEADY
@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 100))
def test_posterior_of_discordant_cases_is_antisymmetric(gained: int, lost: int, equal: int) -> None:
    pairs = gained + lost + equal
    forward = beta_binomial.paired_posterior(gained, lost, pairs, 0.05)
    backward = beta_binomial.paired_posterior(lost, gained, pairs, 0.05)
    assert forward.probability_of_improvement == pytest.approx(1 - backward.probability_of_improvement, abs=1e-9)
    assert (forward.low, forward.high) == pytest.approx((-backward.high, -backward.low), abs=1e-4)
    assert forward.risk_of_control == pytest.approx(backward.risk_of_treatment, abs=1e-9)
    assert forward.risk_of_control is not None
    assert forward.risk_of_treatment is not None
    assert forward.risk_of_control - forward.risk_of_treatment == pytest.approx(forward.mean, abs=1e-9)


@STEADY
@given(st.integers(0, 200), st.integers(0, 200))
def test_pass_rate_sequence_contains_the_rate_and_is_mirrored(passed: int, failed: int) -> None:
    n = passed + failed
    low, high = pass_rate_sequence(passed, n, 0.05)
    assert 0 <= low <= high <= 1
    if n:
        assert low <= passed / n <= high
    mirrored = pass_rate_sequence(failed, n, 0.05)
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-7)


@STEADY
@given(st.lists(st.tuples(st.integers(0, 5_000), st.floats(0.01, 1)), min_size=2, max_size=6))
def test_sample_ratio_needs_no_normalised_weights(arms: list[tuple[int, float]]) -> None:
    counts, weights = [count for count, _ in arms], [weight for _, weight in arms]
    found = sample_ratio(counts, weights)
    scaled = sample_ratio(counts, [3 * weight for weight in weights])
    if sum(counts) == 0:
        assert (found.p_value, found.mismatch) == (None, False)
        return
    assert found.p_value is not None
    assert 0 <= found.p_value <= 1
    assert scaled.p_value == pytest.approx(found.p_value, abs=1e-9)
    assert math.fsum(found.expected) == pytest.approx(sum(counts))


@STEADY
@given(PAIRS, st.sampled_from(list(Method)))
def test_exchanging_the_variants_mirrors_the_comparison(pairs: list[tuple[float, float]], method: Method) -> None:
    a, b = [first for first, _ in pairs], [second for _, second in pairs]
    designed = setup(method, planned=len(pairs))
    (forward,) = analyse(designed, [of_variant("control", a), of_variant("new", b)]).comparisons
    (backward,) = analyse(designed, [of_variant("control", b), of_variant("new", a)]).comparisons
    assert forward.expected == pytest.approx(-(backward.expected or 0.0), abs=1e-9)
    assert forward.p_value == pytest.approx(backward.p_value) if forward.p_value is not None else True
    assert (forward.interval is None) == (backward.interval is None)
    if forward.interval and backward.interval and None not in (*forward.interval, *backward.interval):
        mirrored = [-end for end in reversed(backward.interval) if end is not None]
        assert list(forward.interval) == pytest.approx(mirrored, abs=1e-6)
