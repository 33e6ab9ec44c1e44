"""Test the statistics of experiments against reference values.

`vectors_experiments.json` has values of scipy, statsmodels, gbstats and confseq, or of exact enumeration, rounded to 6
decimals. Its `values_of_common_defects` are results of frequent mistakes, which no function may return.
"""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from orchestrator.comparison.domain.clusters import ClusterSums
from orchestrator.comparison.domain.resampling import BootstrapT
from orchestrator.experiments.domain.analysis import allocation, beta_binomial, guardrails, mixtures
from orchestrator.experiments.domain.analysis.bayes import effect_posterior
from orchestrator.experiments.domain.analysis.columns import Pairs
from orchestrator.experiments.domain.analysis.estimates import Estimate, cohens_d, paired_difference, welch
from orchestrator.experiments.domain.analysis.health import sample_ratio
from orchestrator.experiments.domain.analysis.multiplicity import holm
from orchestrator.experiments.domain.analysis.planning import minimum_detectable_effect, needed_clusters
from orchestrator.experiments.domain.analysis.types import AnalysisSetup, Metric, Prior, Variant
from orchestrator.experiments.domain.words import Design, Method

VECTORS: dict[str, dict[str, Any]] = json.loads((Path(__file__).parent / "vectors_experiments.json").read_text())


def near(value: Any, tolerance: float = 1e-5) -> Any:
    return pytest.approx(value, rel=tolerance, abs=tolerance)


def array(values: list[float]) -> Any:
    return np.array(values, dtype=np.float64)


def paired(vector: dict[str, Any]) -> Estimate:
    candidate, baseline = array(vector["candidate"]), array(vector["baseline"])
    return paired_difference(Pairs(control=baseline, treatment=candidate, weights=np.ones(len(baseline))))


@pytest.mark.parametrize("name", ["welch_unequal_n_and_variance", "welch_latency_ms"])
def test_welch_test_equals_the_reference(name: str) -> None:
    inputs, expected = VECTORS[name]["inputs"], VECTORS[name]["expected"]
    a, b = array(inputs["a"]), array(inputs["b"])
    estimate = welch(b, a)
    assert estimate.t() == near(expected["t"])
    assert (estimate.mean, estimate.df, estimate.error) == near((expected["mean_diff"], expected["df"], expected["se"]))
    assert estimate.interval(0.05) == near(tuple(expected["ci95"]))
    assert (estimate.p_two_sided(), estimate.p_greater(), estimate.reversed.p_greater()) == near(
        (expected["p_two_sided"], expected["p_greater"], expected["p_less"])
    )
    assert cohens_d(b, a) == near(expected["cohens_d_pooled"])
    scaled = welch(b / 1000, a / 1000)
    assert (scaled.t(), scaled.df, cohens_d(b / 1000, a / 1000)) == near(
        (expected["t"], expected["df"], expected["cohens_d_pooled"])
    )
    defects = VECTORS[name]["values_of_common_defects"]
    assert estimate.p_two_sided() not in (near(defects["student_p"]), near(defects["normal_tail_p"]))
    assert estimate.t() != near(defects["ddof0_t"])


def test_undefined_welch_test_has_a_reason_instead_of_a_p_value() -> None:
    inputs, expected = VECTORS["welch_degenerate_cases"]["inputs"], VECTORS["welch_degenerate_cases"]["expected"]
    for name, arms in inputs.items():
        estimate = welch(array(arms["b"]), array(arms["a"]))
        reported = expected[name]["p_reported"]
        assert estimate.p_two_sided() == (None if reported is None else near(reported)), name
        assert (estimate.reason is None) == (reported is not None), name
    assert welch(array([0.5] * 3), array([1.0] * 3)).mean == 0.5


@pytest.mark.parametrize("name", ["paired_t_12", "paired_t_pass_fail_40"])
def test_paired_t_test_equals_the_reference(name: str) -> None:
    inputs, expected = VECTORS[name]["inputs"], VECTORS[name]["expected"]
    estimate = paired(inputs)
    assert (estimate.clusters, estimate.df) == (expected["n"], expected["t_df"])
    assert (estimate.mean, estimate.error, estimate.t(), estimate.p_two_sided(), estimate.p_greater()) == near(
        tuple(expected[key] for key in ("mean_diff", "se", "t", "t_p", "p_candidate_greater"))
    )
    assert estimate.interval(0.05) == near(tuple(expected["t_ci95"]))
    unpaired = welch(array(inputs["baseline"]), array(inputs["candidate"]))
    assert unpaired.p_two_sided() == near(expected["welch_p_if_pairing_is_ignored"])


def test_undefined_paired_test_has_a_reason_and_keeps_its_mean() -> None:
    for name, arms in VECTORS["paired_t_degenerate"]["inputs"].items():
        estimate = paired(arms)
        assert estimate.p_two_sided() is None, name
        assert estimate.interval(0.05) is None, name
        assert estimate.reason, name
        difference = np.mean(arms["candidate"]) - np.mean(arms["baseline"])
        assert estimate.mean == near(float(difference)), name


@pytest.mark.parametrize(
    "name", ["noninferiority_inconclusive", "noninferiority_fails", "noninferiority_latency_lower_is_better"]
)
def test_guardrail_is_a_one_sided_non_inferiority_test(name: str) -> None:
    inputs, expected = VECTORS[name]["inputs"], VECTORS[name]["expected"]
    sign = 1 if inputs["higher_is_better"] else -1
    estimate = paired(inputs)
    assert estimate.mean is not None
    assert sign * estimate.mean == near(expected["effect_in_the_good_direction"])
    result = guardrails.by_t(estimate, sign=sign, margin=inputs["margin"], alpha=inputs["alpha"])
    assert (result.p_passed, result.p_lost) == near((expected["p_noninferior"], expected["p_inferior"]))
    assert (result.low, result.high) == near((expected["lower_95_one_sided"], expected["upper_95_one_sided"]))
    decision = "non_inferior" if result.passed else "inferior" if result.lost else "inconclusive"
    assert decision == expected["decision"]


@pytest.mark.parametrize("name", ["asympcs_two_arm_default_tuning", "asympcs_two_arm_pass_rate_relative"])
def test_asymptotic_sequence_of_two_arms_equals_that_of_gbstats(name: str) -> None:
    inputs, expected = VECTORS[name]["inputs"], VECTORS[name]["expected"]
    arms = [inputs["control_stats"], inputs["treatment_stats"]]
    units = sum(arm["n"] for arm in arms)
    error, alpha = math.sqrt(expected["var_of_diff"]), inputs["alpha"]
    variance = expected["var_of_diff"] * units
    assert mixtures.tuning(alpha, inputs["tuning_N"]) == near(expected["rho"])
    found = mixtures.asymptotic_sequence(expected["diff"], error, units, planned=inputs["tuning_N"], alpha=alpha)
    assert found == near(tuple(expected["ci"]), 1e-4)  # the variance is rounded to 6 digits
    ratio = mixtures.log_ratio(expected["diff"], units, variance, variance * expected["rho"] ** 2)
    assert mixtures.always_valid_p(ratio) == near(expected["p_always_valid"], 1e-4)
    low, high = expected["fixed_n_normal_ci_for_contrast"]
    assert found[0] is not None
    assert found[1] is not None
    assert found[0] < low < high < found[1]


def test_variance_of_a_two_arm_difference_equals_that_of_gbstats() -> None:
    inputs, expected = (VECTORS["asympcs_two_arm_default_tuning"][key] for key in ("inputs", "expected"))
    control = array([0.74, 0.81, 0.69, 0.90, 0.72, 0.78, 0.66, 0.83] * 25)
    treatment = array([0.79, 0.88, 0.70, 0.91, 0.80, 0.77, 0.75, 0.86] * 25)
    estimate = welch(control, treatment)
    assert (estimate.mean, estimate.error) == near((expected["diff"], math.sqrt(expected["var_of_diff"])))
    assert inputs["control_stats"]["sum"] == near(float(control.sum()))


def test_asymptotic_sequence_of_pairs_equals_that_of_confseq() -> None:
    inputs, expected = VECTORS["asympcs_paired"]["inputs"], VECTORS["asympcs_paired"]["expected"]
    rho, alpha = mixtures.tuning(inputs["alpha"], inputs["tuning_N"]), inputs["alpha"]
    assert rho == near(expected["rho"])
    for n, mean, sd, low, high, p, *_ in expected["n_mean_sd_lo_hi_p_pRunningMin_loDdof0_hiDdof0"]:
        sample = array(inputs["differences"][:n])
        assert (float(sample.mean()), float(sample.std(ddof=1))) == near((mean, sd))
        error = float(sample.std(ddof=1)) / math.sqrt(n)
        found = mixtures.asymptotic_sequence(float(sample.mean()), error, n, planned=inputs["tuning_N"], alpha=alpha)
        assert found == near((low, high))
        variance = float(sample.var(ddof=1))
        assert mixtures.always_valid_p(mixtures.log_ratio(mean, n, variance, variance * rho**2)) == near(p)


def test_mixture_likelihood_ratio_equals_that_of_the_msprt() -> None:
    inputs, expected = (VECTORS["msprt_two_arm_pairs_lower_scale"][key] for key in ("inputs", "expected"))
    smallest, known = 1.0, (inputs["sigma2"], inputs["tau2"])
    for n, ratio, p in expected["n_Lambda_alwaysvalid_p"]:
        mean = sum(inputs["differences"][:n]) / n
        found = mixtures.log_ratio(mean, n, *known, hypothesis=inputs["theta0"])
        smallest = min(smallest, mixtures.always_valid_p(found))
        assert (math.exp(found), smallest) == near((ratio, p))
    mean, n = float(np.mean(inputs["differences"])), len(inputs["differences"])
    half = mixtures.half_width(n, *known, inputs["alpha"])
    assert (mean - half, mean + half) == near(tuple(expected["conf_sequence_at_n"]))


@pytest.mark.parametrize("name", ["anytime_pass_rate", "anytime_pass_rate_alpha10"])
def test_pass_rate_sequence_equals_that_of_the_uniform_mixture(name: str) -> None:
    inputs, expected = VECTORS[name]["inputs"], VECTORS[name]["expected"]
    for (passed, n, tuned), bounds in zip(inputs["cases_k_n_topt"], expected.values(), strict=True):
        low, high = mixtures.pass_rate_sequence(passed, n, inputs["alpha"])
        assert (low, high) == pytest.approx(tuple(bounds["uniform_prior_mixture"]), abs=1e-6), tuned
        assert low <= passed / n <= high
        assert high - low > bounds["wilson_for_contrast"][1] - bounds["wilson_for_contrast"][0]


@pytest.mark.parametrize("name", ["bayes_effect_scores", "bayes_effect_lower_is_better"])
def test_posterior_of_an_effect_equals_that_of_gbstats(name: str) -> None:
    inputs = VECTORS[name]["inputs"]
    arms = [inputs["control"], inputs["treatment"]]
    means = [arm["sum"] / arm["n"] for arm in arms]
    squares = [
        (arm["sum_squares"] - arm["n"] * mean**2) / (arm["n"] - 1) / arm["n"]
        for arm, mean in zip(arms, means, strict=True)
    ]
    for key, config in inputs["configs"].items():
        expected = VECTORS[name]["expected"][key]
        effect, variance = means[1] - means[0], sum(squares)
        if config["diff"] == "relative":
            effect, variance = (
                effect / means[0],
                squares[1] / means[0] ** 2 + squares[0] * means[1] ** 2 / means[0] ** 4,
            )
        proper = config["prior"]["proper"]
        prior = Prior(config["prior"]["mean"], math.sqrt(config["prior"]["variance"])) if proper else None
        estimate = Estimate(effect, math.sqrt(variance), math.inf, 100, "normal")
        found = effect_posterior(estimate, 0.05, prior)
        assert found is not None
        assert (found.mean, found.low, found.high) == near((expected["effect"], *expected["ci95"])), key
        good = found.reversed if config.get("inverse") else found
        assert good.probability_of_improvement == near(expected["chance_to_win_treatment"]), key
        risks = expected["risk_if_treatment_is_chosen"], expected["risk_if_control_is_chosen"]
        assert (good.risk_of_treatment, good.risk_of_control) == near(risks), key


def test_reference_prior_reproduces_the_t_interval() -> None:
    inputs = VECTORS["paired_t_12"]["inputs"]
    estimate = paired(inputs)
    found = effect_posterior(estimate, 0.05)
    assert found is not None
    assert (found.low, found.high) == near(estimate.interval(0.05), 1e-12)
    p_value = estimate.p_greater()
    assert p_value is not None
    assert found.probability_of_improvement == near(1 - p_value, 1e-12)


@pytest.mark.parametrize("name", ["beta_binomial_small", "beta_binomial_large_jeffreys", "beta_binomial_all_pass"])
def test_posterior_of_pass_rates_equals_the_quadrature(name: str) -> None:
    inputs, expected = VECTORS[name]["inputs"], VECTORS[name]["expected"]
    a, b = (
        beta_binomial.posterior(inputs[key][0], inputs[key][1], tuple(inputs["prior"]))
        for key in ("A_success_fail", "B_success_fail")
    )
    found = beta_binomial.split_posterior(a, b, 0.05)
    assert found.probability_of_improvement == near(expected["P_B_gt_A"])
    assert (found.mean, found.low, found.high) == near((expected["mean_diff_B_minus_A"], *expected["diff_ci95"]))
    risks = expected["expected_loss_if_B_is_chosen"], expected["expected_loss_if_A_is_chosen"]
    assert (found.risk_of_treatment, found.risk_of_control) == near(risks)


@pytest.mark.parametrize("name", ["srm_two_arms_mismatch", "srm_three_arms_ok", "srm_tiny"])
def test_sample_ratio_is_tested_by_chi_square(name: str) -> None:
    inputs, expected = VECTORS[name]["inputs"], VECTORS[name]["expected"]
    found = sample_ratio(inputs["observed"], inputs["weights"])
    assert (found.chi_square, found.p_value) == near((expected["chi2"], expected["p"]))
    assert list(found.expected) == near(expected["expected_counts"])
    assert found.mismatch is expected["mismatch_at_0.001"]


@pytest.mark.parametrize("name", ["thompson_beta_few_data", "thompson_beta_clear_winner"])
def test_probability_of_the_best_pass_rate_equals_the_quadrature(name: str) -> None:
    inputs, expected = VECTORS[name]["inputs"], VECTORS[name]["expected"]
    arms = [beta_binomial.posterior(cells[0], cells[1], tuple(inputs["prior"])) for cells in inputs["success_fail"]]
    best = beta_binomial.probabilities_best(arms)
    assert best == near(expected["P_best"], 1e-6)
    assert min(best) > 0
    assert sum(best) == near(1.0)
    assert beta_binomial.expected_losses(arms) == near(expected["expected_loss_if_chosen"])
    assert [a / (a + b) for a, b in arms] == near(expected["posterior_mean"])


def test_probability_of_the_best_score_equals_the_quadrature() -> None:
    expected = VECTORS["thompson_scores_three_arms"]["expected"]
    arms = list(zip(expected["location"], expected["scale"], expected["df"], strict=True))
    for arm, scores in zip(arms, VECTORS["thompson_scores_three_arms"]["inputs"]["scores"], strict=True):
        assert (np.mean(scores), np.std(scores, ddof=1) / math.sqrt(len(scores))) == near(arm[:2])
    assert allocation.student_best(arms) == near(expected["P_best"])


def planned(design: Design, *, alpha: float) -> AnalysisSetup:
    variants = [Variant("c", "Control", is_control=True, traffic_allocation=0.5), Variant("t", "New", False, 0.5)]
    wide = Metric("score", bounds=(-100.0, 100.0))
    return AnalysisSetup(Method.FREQUENTIST, design, wide, variants, planned=2, significance_level=alpha)


def test_planned_sample_equals_that_of_statsmodels() -> None:
    inputs, expected = VECTORS["power_required_n"]["inputs"], VECTORS["power_required_n"]["expected"]
    case, wanted = inputs["two_sample_d_.3"], expected["two_sample_d_.3"]
    split = planned(Design.SPLIT, alpha=case["alpha"])
    assert needed_clusters(split, effect=case["d"], variance=1, power=case["power"]) == wanted["n_per_arm"]
    case, wanted = inputs["paired_dz_.25_90"], expected["paired_dz_.25_90"]
    pairs = planned(Design.PAIRED, alpha=case["alpha"])
    assert needed_clusters(pairs, effect=case["dz"], variance=1, power=case["power"]) == wanted["n_pairs"]
    case, wanted = inputs["pass_rate_.70_to_.76"], expected["pass_rate_.70_to_.76"]
    variance = (case["p1"] * (1 - case["p1"]) + case["p2"] * (1 - case["p2"])) / 2
    needed = needed_clusters(split, effect=case["p2"] - case["p1"], variance=variance, power=case["power"])
    assert needed == pytest.approx(wanted["n_per_arm_unpooled"], abs=2)


def test_minimum_detectable_effect_equals_that_of_statsmodels() -> None:
    inputs, expected = VECTORS["power_mde"]["inputs"], VECTORS["power_mde"]["expected"]
    n = inputs["two_sample_n_100"]["n"]
    found = minimum_detectable_effect(planned(Design.SPLIT, alpha=0.05), clusters=n, variance=1)
    assert found == near(expected["two_sample_n_100"]["mde_d"])
    case = inputs["paired_n_198"]
    found = minimum_detectable_effect(
        planned(Design.PAIRED, alpha=0.05), clusters=case["n"], variance=case["sd_diff"] ** 2
    )
    assert found == near(expected["paired_n_198"]["mde_points"])
    case = inputs["noninferiority_margin_.02"]
    one_sided = planned(Design.PAIRED, alpha=2 * case["alpha"])
    needed = needed_clusters(one_sided, effect=case["margin"], variance=case["sd_diff"] ** 2, power=case["power"])
    assert needed == expected["noninferiority_margin_.02"]["n_pairs"]


@pytest.mark.parametrize("name", ["multiplicity_unsorted_with_ties", "multiplicity_edges", "multiplicity_at_the_limit"])
def test_p_values_are_adjusted_as_by_statsmodels(name: str) -> None:
    inputs, expected = VECTORS[name]["inputs"], VECTORS[name]["expected"]["holm"]
    adjusted = holm(inputs["p"])
    assert adjusted == near(expected["adj"], 1e-9)
    assert [p <= inputs["alpha"] for p in adjusted] == expected["reject"]


@pytest.mark.parametrize("name", ["studentised_skewed_12", "studentised_symmetric_11", "studentised_near_binary_30"])
def test_bootstrap_t_interval_equals_the_exact_enumeration(name: str) -> None:
    inputs, expected = VECTORS[name]["inputs"], VECTORS[name]["expected"]
    differences = [0.1] * 27 + [-0.9] * 3
    if "candidate" in inputs:
        differences = [a - b for a, b in zip(inputs["candidate"], inputs["baseline"], strict=True)]
    interval = BootstrapT(ClusterSums.of(differences))
    key = "bootstrap_t_ci95_degenerate_counted_as_infinite"
    wanted = [float(end) for end in expected.get(key, expected["bootstrap_t_ci95"])]
    assert [interval.low(0.025), interval.high(0.025)] == pytest.approx(wanted, abs=0.1 * expected["se"])


@pytest.mark.parametrize("count", [30, 100])
def test_false_alarms_on_a_skewed_null_are_those_of_the_exact_sum(count: int) -> None:
    vector = VECTORS["simulation_skewed_null"]
    inputs, expected = vector["inputs"], vector["expected"][f"n={count}"]
    better = worse = 0.0
    for losses in range(count + 1):
        differences = np.r_[np.full(count - losses, inputs["gain"]), np.full(losses, inputs["loss"])]
        ones = np.ones(count)
        estimate = paired_difference(Pairs(control=ones - differences, treatment=ones, weights=ones))
        p = estimate.p_two_sided()
        if p is not None and p < inputs["alpha"]:
            share = float(binom.pmf(losses, count, inputs["probability_of_loss"]))
            assert estimate.mean is not None
            better, worse = (better + share, worse) if estimate.mean > 0 else (better, worse + share)
    assert better + worse == near(expected["false_alarm"])
    assert (better, worse) == near((expected["of_which_declares_better"], expected["of_which_declares_worse"]))
    assert better + worse < vector["values_of_common_defects"][f"n={count}"]["false_alarm"]


def test_every_vector_is_tested() -> None:
    source = Path(__file__).read_text()
    assert [name for name in VECTORS if f'"{name}"' not in source] == []
