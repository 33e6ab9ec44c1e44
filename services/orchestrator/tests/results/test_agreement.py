"""Test that Krippendorff's alpha, which is computed from sums, equals published values."""

from collections.abc import Sequence
from statistics import mean, stdev, variance

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.results.domain.agreement import NO_AGREEMENT, Ratings, agreement

Units = Sequence[Sequence[float | None]]
"""The scores that judges gave to answers: one row per judge, one column per answer; `None` is a missing score."""

# The values come from krippendorff 0.9.0, level_of_measurement="interval"; the first two are examples D and A of
# Krippendorff (2011). With only two distinct values, nominal and interval data give the same alpha.
PUBLISHED: list[tuple[Units, float]] = [
    (
        [
            [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
            [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
            [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
            [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
        ],
        0.849107,
    ),
    ([[0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]], 0.095238),
    ([[1, 2, 3, 2], [1, 2, 3, 2]], 1.0),
    ([[1, 1, 2, 2], [2, 2, 1, 1]], -0.75),
]


def ratings(units: Units) -> Ratings:
    """Return the sums from which Krippendorff's alpha is computed. The database would compute these sums from the
    scores in `units`."""
    answers = [[score for score in answer if score is not None] for answer in zip(*units, strict=True)]
    paired = [answer for answer in answers if len(answer) > 1]
    every = [score for answer in paired for score in answer]
    if not every:
        return Ratings(0, None, None, None, None, None)
    return Ratings(
        answers=len(paired),
        within=mean(variance(answer) for answer in paired for _ in answer),
        overall=variance(every),
        least=min(every),
        most=max(every),
        mean_spread=mean(stdev(answer) for answer in paired),
    )


@pytest.mark.parametrize(("units", "alpha"), PUBLISHED)
def test_alpha_equals_the_published_value(units: Units, alpha: float) -> None:
    found = agreement(ratings(units))
    assert found.alpha == pytest.approx(alpha, abs=1e-6)
    assert found.undefined_because is None


@pytest.mark.parametrize(("units", "alpha"), PUBLISHED)
def test_alpha_does_not_depend_on_the_scale(units: Units, alpha: float) -> None:
    normalised = [[None if score is None else (score - 1) / 4 for score in judge] for judge in units]
    assert agreement(ratings(normalised)).alpha == pytest.approx(alpha, abs=1e-6)


def test_alpha_is_undefined_if_all_scores_are_equal() -> None:
    found = agreement(ratings([[3, 3, 3], [3, 3, 3]]))
    assert (found.alpha, found.answers, found.mean_spread) == (None, 3, 0)
    assert found.undefined_because == "all scores are equal"


def test_alpha_is_undefined_without_an_answer_scored_by_two_judges() -> None:
    assert agreement(ratings([[1, None], [None, 2]])) == NO_AGREEMENT


@given(st.lists(st.tuples(*[st.sampled_from((0.0, 0.25, 0.5, 0.75, 1.0))] * 3), min_size=1, max_size=20))
def test_alpha_is_1_only_if_the_judges_never_differ(answers: list[tuple[float, ...]]) -> None:
    found = agreement(ratings(list(zip(*answers, strict=True))))
    assert found.mean_spread is not None
    if found.alpha is not None:
        assert found.alpha <= 1 + 1e-12
        assert (found.alpha == pytest.approx(1)) == (found.mean_spread == 0)
