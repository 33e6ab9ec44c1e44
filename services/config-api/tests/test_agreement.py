"""Test the figures of agreement and consensus against published values.

`vectors_agreement.json` holds inputs, expected values and their source.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from config_api.annotation.agreement import (
    Level,
    cohens_kappa,
    cohens_kappas,
    fleiss_kappa,
    interpretation,
    krippendorff_alpha,
)
from config_api.annotation.consensus import borda, dawid_skene, majority

VECTORS: dict[str, dict[str, Any]] = json.loads((Path(__file__).parent / "vectors_agreement.json").read_text())
Ratings = dict[UUID, dict[UUID, int]]


def of_topic(topic: str) -> list[str]:
    return [name for name, vector in VECTORS.items() if vector["topic"] == topic]


def ratings_of(rows: Sequence[Sequence[int | None]]) -> tuple[Ratings, list[float]]:
    """Return the ratings in a table, and the sorted values that occur in it. `rows` has a row for each annotator and a
    column for each item; `None` is a missing rating."""
    values = sorted({value for row in rows for value in row if value is not None})
    return {
        UUID(int=unit + 1): {
            UUID(int=coder + 1): values.index(value)
            for coder, row in enumerate(rows)
            if (value := row[unit]) is not None
        }
        for unit in range(len(rows[0]))
    }, [float(value) for value in values]


def ratings_of_counts(counts: Sequence[Sequence[int]]) -> Ratings:
    """Return ratings with the given counts, by made-up annotators. `counts` has a row for each item, with the number of
    annotators who chose each category."""
    return {
        UUID(int=item + 1): {
            UUID(int=rater + 1): category
            for rater, category in enumerate(c for c, number in enumerate(row) for _ in range(number))
        }
        for item, row in enumerate(counts)
    }


@pytest.mark.parametrize("name", of_topic("krippendorff"))
def test_alpha_equals_the_reference(name: str) -> None:
    vector = VECTORS[name]
    if "ratings_coder_by_unit" not in vector["inputs"]:
        for each, rows in vector["inputs"].items():
            found = krippendorff_alpha(*ratings_of(rows), Level.NOMINAL)
            assert found.value == (None if vector["expected"][each] is None else pytest.approx(0.0)), each
            assert (found.undefined_because is None) == (found.value is not None)
        return
    ratings, values = ratings_of(vector["inputs"]["ratings_coder_by_unit"])
    for level in Level:
        assert krippendorff_alpha(ratings, values, level).value == pytest.approx(
            vector["expected"][level.value], abs=1e-5
        )


@pytest.mark.parametrize("name", of_topic("fleiss"))
def test_fleiss_kappa_equals_the_reference(name: str) -> None:
    inputs, expected = VECTORS[name]["inputs"], VECTORS[name]["expected"]
    cases = {"": inputs["counts_subject_by_category"]} if "counts_subject_by_category" in inputs else inputs
    for each, counts in cases.items():
        wanted = (expected[each] if each else expected)["fleiss_kappa"]
        found = fleiss_kappa(ratings_of_counts(counts), len(counts[0]))
        assert found.value == (None if wanted is None else pytest.approx(wanted, abs=1e-5))


@pytest.mark.parametrize("name", [each for each in of_topic("kappa_judge_vs_human") if each != "cohen_undefined"])
def test_cohens_kappa_equals_the_reference(name: str) -> None:
    inputs, expected = VECTORS[name]["inputs"], VECTORS[name]["expected"]
    table = np.zeros((len(inputs["scale"]),) * 2)
    for first, second in zip(inputs["rater_1"], inputs["rater_2"], strict=True):
        table[inputs["scale"].index(first), inputs["scale"].index(second)] += 1
    assert cohens_kappa(table, weighted=False) == pytest.approx(expected["unweighted"], abs=1e-5)
    assert cohens_kappa(table, weighted=True) == pytest.approx(expected["quadratic"], abs=1e-5)


def test_undefined_kappas_are_null_with_a_reason() -> None:
    same = {UUID(int=item): {UUID(int=1): 1, UUID(int=2): 1} for item in range(1, 5)}
    (pair,) = cohens_kappas(same, 2, weighted=False)
    assert (pair.kappa, pair.exact, pair.items) == (None, 1.0, 4)
    assert pair.undefined_because is not None
    constant = {item: {**labels, UUID(int=2): int(item.int != 2)} for item, labels in same.items()}
    (pair,) = cohens_kappas(constant, 2, weighted=False)
    assert pair.kappa == pytest.approx(0.0)


@pytest.mark.parametrize("name", of_topic("consensus"))
def test_consensus_equals_the_reference(name: str) -> None:
    vector = VECTORS[name]
    rows = vector["inputs"]["task_worker_label"]
    labels, workers = sorted({row[2] for row in rows}), sorted({row[1] for row in rows})
    ratings: Ratings = {}
    for task, worker, label in rows:
        ratings.setdefault(UUID(int=int(task[1:])), {})[UUID(int=workers.index(worker) + 1)] = labels.index(label)

    agreed = majority(ratings)
    for task, wanted in vector["expected"]["majority"].items():
        found = agreed[UUID(int=int(task[1:]))].value
        assert (None if found is None else labels[found]) == (wanted if isinstance(wanted, str) else None), task

    # The published values were computed without a prior, so the prior here is almost 0.
    skills = dawid_skene(ratings, len(labels), prior=1e-9, most_rounds=20_000, close=1e-13)
    for task, posterior in vector["expected"]["dawid_skene_posterior"].items():
        found_here = skills.agreed[UUID(int=int(task[1:]))]
        assert found_here.value is not None
        assert found_here.confidence == pytest.approx(posterior[labels[found_here.value]], abs=0.005), task
    for worker, skill in vector["expected"]["worker_skill_prior_weighted"].items():
        assert skills.skill[UUID(int=workers.index(worker) + 1)] == pytest.approx(skill, abs=0.005)


def test_prior_keeps_a_handful_of_labels_from_certainty() -> None:
    rows = [[0, 0, 1], [1, 1, 0]]
    ratings = {UUID(int=i + 1): {UUID(int=j + 1): v for j, v in enumerate(row)} for i, row in enumerate(rows)}
    assert dawid_skene(ratings, 2, prior=1e-9).agreed[UUID(int=1)].confidence > 0.999
    assert dawid_skene(ratings, 2).agreed[UUID(int=1)].confidence < 0.95


def test_one_label_and_none_are_no_agreement() -> None:
    one = {UUID(int=1): {UUID(int=1): 0}}
    for found in (krippendorff_alpha(one, [0, 1], Level.NOMINAL), fleiss_kappa(one, 2)):
        assert (found.value, found.items) == (None, 0)
        assert found.undefined_because == "no item has the labels of two annotators"
    assert cohens_kappas(one, 2, weighted=False) == []
    assert dawid_skene({}, 2).agreed == {}
    assert majority({UUID(int=1): {}}) == {}


@given(st.lists(st.lists(st.integers(0, 3), min_size=2, max_size=4), min_size=10, max_size=30))
def test_interval_holds_the_value_and_alpha_is_at_most_one(rows: list[list[int]]) -> None:
    ratings = {UUID(int=i + 1): {UUID(int=j + 1): v for j, v in enumerate(row)} for i, row in enumerate(rows)}
    found = krippendorff_alpha(ratings, [0, 1, 2, 3], Level.ORDINAL)
    if found.value is not None:
        assert found.value <= 1 + 1e-9
    if found.low is not None and found.high is not None:
        assert found.low <= found.high
    assert found == krippendorff_alpha(ratings, [0, 1, 2, 3], Level.ORDINAL), "the bootstrap has a seed"


def test_rankings_are_joined_by_their_mean_ranks() -> None:
    order, agreement = borda([[0, 1, 2], [0, 1, 2], [0, 1, 2]])
    assert order == [0, 1, 2]
    assert agreement == pytest.approx(1.0)
    order, agreement = borda([[0, 1, 2], [2, 1, 0]])
    assert order is None, "the mean ranks are equal"
    assert agreement == pytest.approx(0.0)
    # Kendall & Babington Smith: three judges, six objects (Siegel & Castellan, Nonparametric Statistics, 1988).
    ranks = [[1, 6, 3, 2, 5, 4], [1, 5, 6, 4, 2, 3], [6, 3, 2, 5, 4, 1]]
    rankings = [[row.index(place) for place in range(1, 7)] for row in ranks]
    assert borda(rankings)[1] == pytest.approx(0.162, abs=0.001)


def test_words_of_alpha_are_those_of_the_document() -> None:
    words = [interpretation(alpha) for alpha in (0.8, 0.67, 0.4, 0.39)]
    assert [word.split()[0] for word in words if word] == ["Good", "Moderate", "Fair", "Poor"]
    assert interpretation(None) is None
