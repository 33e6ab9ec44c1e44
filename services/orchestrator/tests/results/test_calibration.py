"""Test how a judge's agreement with people is measured, and how people's labels correct the mean of the judge's scores.
The results are compared with reference values and with mathematical laws.

`vectors_calibration.json` holds inputs, expected values and the library that produced them.
"""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.calibration_coverage import consensus, coverages
from orchestrator.results.domain.calibration.correcting import (
    Judged,
    Labelled,
    Rate,
    corrected_mean,
    plan_for_budget,
    plan_for_width,
    transported_rate,
)
from orchestrator.results.domain.calibration.measuring import BadLabels, Case, Scale, calibration, ordinal_alpha

VECTORS: dict[str, dict[str, Any]] = json.loads((Path(__file__).parent / "vectors_calibration.json").read_text())
ORIGINALS = [Path(__file__).parents[5] / "shared" / name for name in ("vectors.json", "vectors-2.json")]
SCALE = Scale((1, 2, 3, 4, 5), pass_mark=3)
UNLABELLED = {
    "ppi_mean": [1.0] * 150 + [0.0] * 50,
    "ppi_scores_1to5": [5.0] * 60 + [4.0] * 70 + [3.0] * 40 + [2.0] * 20 + [1.0] * 10,
    "ppi_pass_rate_30_labels": [1.0] * 420 + [0.0] * 80,
}


@pytest.mark.skipif(not all(path.exists() for path in ORIGINALS), reason="the originals are not beside this checkout")
def test_copied_vectors_equal_the_originals() -> None:
    originals = {each["id"]: each for path in ORIGINALS for each in json.loads(path.read_text())["vectors"]}
    assert {name: {field: originals[name][field] for field in each} for name, each in VECTORS.items()} == VECTORS


def sample(name: str) -> tuple[list[Labelled], list[Judged]]:
    inputs = VECTORS[name]["inputs"]
    pairs = zip(inputs["human"], inputs["judge_on_human_items"], strict=True)
    labelled = [Labelled(f"labelled {at}", judge=judge, human=human) for at, (human, judge) in enumerate(pairs)]
    return labelled, [Judged(f"other {at}", judge) for at, judge in enumerate(UNLABELLED[name])]


@pytest.mark.parametrize("name", list(UNLABELLED))
@pytest.mark.parametrize(("weight", "field"), [(1.0, "ppi_lam1"), (None, "ppi_plus_plus"), (0.0, "human_only_mean")])
def test_corrected_mean_equals_the_reference(name: str, weight: float | None, field: str) -> None:
    expected = VECTORS[name]["expected"]
    corrected = corrected_mean(*sample(name), weight=weight)
    assert corrected is not None
    assert corrected.value == pytest.approx(expected[field], abs=1e-6)
    if f"{field}_ci95" in expected:
        assert corrected.normal_interval == pytest.approx(expected[f"{field}_ci95"], abs=1e-6)
    if weight is None and "lambda" in expected:
        assert corrected.weight == pytest.approx(expected["lambda"], abs=1e-6)
    if weight == 0.0 and "human_only_t_ci95" in expected:
        assert (corrected.low, corrected.high) == pytest.approx(expected["human_only_t_ci95"], abs=1e-3)


def test_epochs_of_one_case_count_once() -> None:
    labelled, others = sample("ppi_pass_rate_30_labels")
    single = corrected_mean(labelled, others, weight=1)
    twice = corrected_mean(labelled * 2, others * 2, weight=1)
    assert single is not None
    assert twice is not None
    assert twice.clusters == single.clusters
    assert twice.error == pytest.approx(single.error)


def test_corrected_mean_without_a_sample_is_undefined_and_of_few_labels_has_no_interval() -> None:
    labelled, others = sample("ppi_mean")
    assert corrected_mean(labelled[:1], others) is None
    assert corrected_mean(labelled, []) is None
    few = corrected_mean(labelled[:9], others)
    assert few is not None
    assert few.low is None
    assert few.high is None
    constant = corrected_mean([Labelled(str(at), judge=1, human=1) for at in range(20)], [Judged("x", 1)])
    assert constant is not None
    assert constant.value == 1
    assert constant.low is None


@pytest.mark.parametrize("name", [name for name in VECTORS if name.startswith("rogan")])
def test_transported_rate_equals_the_reference(name: str) -> None:
    inputs, expected = VECTORS[name]["inputs"], VECTORS[name]["expected"]
    fail, passing = inputs["calibration_true_fail"], inputs["calibration_true_pass"]
    found = transported_rate(
        Rate(inputs["judge_pass"], inputs["n"]),
        Rate(fail["judge_fail"], fail["m0"]),
        Rate(passing["judge_pass"], passing["m1"]),
    )
    assert found.assumes_transport
    if expected["corrected"] is None:
        assert found.value is None
        assert found.undefined_because
        return
    assert found.value == pytest.approx(expected["corrected"], abs=1e-6)
    assert found.unclipped == pytest.approx(expected["corrected_unclipped"], abs=1e-6)
    assert found.error == pytest.approx(expected["se_delta"], abs=1e-6)
    assert (found.low, found.high) == pytest.approx(expected["ci95_lang_reiczigel"], abs=1e-6)


def test_planner_divides_a_budget_as_ppi_power_does() -> None:
    plan = plan_for_budget(correlation=0.8, budget=200, judge_cost=0.01, label_cost=1)
    assert plan is not None
    assert (plan.labels, plan.effective_labels) == (176, 431)
    assert plan.cost <= 200
    assert plan_for_budget(correlation=0.8, budget=1, judge_cost=0.01, label_cost=1) is None


def test_planner_needs_fewer_labels_with_a_better_judge_and_says_what_cannot_be_reached() -> None:
    def labels(correlation: float, half_width: float = 0.05) -> int | None:
        plan = plan_for_width(
            correlation=correlation, spread=0.4, answers=2000, half_width=half_width, judge_cost=0.01, label_cost=1
        )
        return plan.labels if plan else None

    assert labels(0.0) == math.ceil((1.959964 * 0.4 / 0.05) ** 2)
    needed = [labels(correlation) for correlation in (0.0, 0.5, 0.8, 0.95)]
    assert needed == sorted((each for each in needed if each is not None), reverse=True)
    assert labels(0.8, half_width=0.001) is None


def cases(human: list[float], judge: list[float]) -> list[Case]:
    pairs = zip(human, judge, strict=True)
    return [Case(str(at), str(at), judge=b, consensus=a, labels={"ann": a}) for at, (a, b) in enumerate(pairs)]


@pytest.mark.parametrize("name", [name for name in VECTORS if name.startswith("judge_vs")])
def test_measures_equal_the_reference(name: str) -> None:
    inputs, expected = VECTORS[name]["inputs"], VECTORS[name]["expected"]
    found = calibration(cases(inputs["human"], inputs["judge"]), SCALE).judge
    assert found.kappa.value == pytest.approx(expected["quadratic_kappa"], abs=1e-6)
    assert found.spearman.value == pytest.approx(expected["spearman"], abs=1e-6)
    assert found.bias.value == pytest.approx(expected["bias_judge_minus_human"], abs=1e-6)
    assert (found.bias.low, found.bias.high) == pytest.approx(expected["bias_ci95_t"], abs=1e-3)
    assert found.mean_error == pytest.approx(expected["mae"], abs=1e-6)
    assert found.exact.value == pytest.approx(expected["exact_agreement"], abs=1e-6)
    assert found.within_one.value == pytest.approx(expected["within_1"], abs=1e-6)
    for measure in (found.kappa, found.spearman):
        assert measure.value is not None
        assert measure.low is not None
        assert measure.high is not None
        assert measure.low <= measure.value <= measure.high


@pytest.mark.parametrize("name", [name for name in VECTORS if name.startswith("kripp")])
def test_ordinal_alpha_equals_the_reference(name: str) -> None:
    units = list(zip(*VECTORS[name]["inputs"]["ratings_coder_by_unit"], strict=True))
    levels = sorted({value for unit in units for value in unit if value is not None})
    counts = np.array([[unit.count(level) for level in levels] for unit in units], dtype=float)
    found = ordinal_alpha(counts[counts.sum(axis=1) >= 2])
    assert found == pytest.approx(VECTORS[name]["expected"]["ordinal"], abs=1e-6)


def test_undefined_measures_have_a_reason() -> None:
    equal = calibration(cases([4.0] * 12, [4.0] * 12), SCALE)
    for measure in (equal.judge.kappa, equal.judge.spearman, equal.alpha_with_judge, equal.judge.specificity):
        assert measure.value is None
        assert measure.undefined_because
    assert equal.judge.sensitivity.value == 1
    assert (equal.judge.sensitivity.low or 0) < 0.8
    for measure in (equal.people.kappa, equal.alpha_of_people):
        assert measure.undefined_because == "no answer has the labels of two people"
    assert calibration([], SCALE).judge.bias.undefined_because == "no answer has both a label and a score"


@pytest.mark.parametrize("value", [0.5, 5.5, math.nan, math.inf, -1e308])
def test_values_outside_the_scale_are_refused(value: float) -> None:
    with pytest.raises(BadLabels, match="answer 1"):
        calibration(cases([3, 3], [3, value]), SCALE)
    with pytest.raises(BadLabels, match="no label"):
        calibration([Case("1", "1", judge=3, consensus=3, labels={})], SCALE)


def test_groups_confusion_and_worst_cases_cover_the_answers() -> None:
    found = calibration(
        [
            Case(
                str(at),
                str(at),
                judge=1 + at % 5,
                consensus=3,
                labels={"a": 3, "b": 4},
                category="ab"[at % 2],
                length=at,
            )
            for at in range(30)
        ],
        SCALE,
    )
    assert [found.by_category[name].bias.answers for name in "ab"] == [15, 15]
    assert [found.by_length[name].bias.answers for name in ("short", "medium", "long")] == [10, 10, 10]
    assert found.confusion[2] == [6] * 5
    assert sum(map(sum, found.confusion)) == 30
    assert [abs(case.judge - case.consensus) for case in found.worst] == [2] * 12 + [1] * 8
    assert found.people.bias.answers == 60


LEVEL = st.sampled_from(SCALE.levels)


@given(pairs=st.lists(st.tuples(LEVEL, LEVEL), min_size=2, max_size=9))
def test_bounds_hold_and_a_swapped_sign_turns_the_bias(pairs: list[tuple[float, float]]) -> None:
    human, judge = [a for a, _ in pairs], [b for _, b in pairs]
    found, turned = calibration(cases(human, judge), SCALE).judge, calibration(cases(judge, human), SCALE).judge
    assert found.kappa.value == turned.kappa.value or found.kappa.value == pytest.approx(turned.kappa.value)
    assert found.bias.value == pytest.approx(-(turned.bias.value or 0.0))
    for measure in (found.kappa, found.spearman):
        assert measure.value is None or -1 - 1e-9 <= measure.value <= 1 + 1e-9


@given(scores=st.lists(LEVEL, min_size=2, max_size=9))
def test_judge_that_says_what_people_say_agrees_fully(scores: list[float]) -> None:
    found = calibration(cases(scores, scores), SCALE)
    assert found.judge.bias.value == 0
    assert found.judge.exact.value == 1
    assert found.worst == []
    if len(set(scores)) > 1:
        assert found.judge.kappa.value == pytest.approx(1)
        assert found.alpha_with_judge.value == pytest.approx(1)


def test_random_slice_covers_although_the_rest_is_labelled_by_priority() -> None:
    found = coverages(300)
    assert [count.name for count in found if count.refuted] == []
    by_name = {count.name: count.share for count in found}
    assert by_name["interval from labels near the pass mark: passes, a fair judge"] < 0.6


def test_dawid_and_skene_beat_a_majority_where_skills_differ() -> None:
    found = consensus(40)
    assert not found.better.refuted
    assert found.dawid_skene > found.majority + 0.02
