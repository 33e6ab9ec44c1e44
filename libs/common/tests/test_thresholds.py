"""Test that comparisons of scores with thresholds are not affected by floating-point noise."""

import math

import pytest
from pydantic import BaseModel

from llmbench.contracts.base import Tidy
from llmbench.thresholds import exceeds, reaches, tidy


@pytest.mark.parametrize(
    ("value", "threshold", "reached"),
    [
        (0.6999999999999998, 0.7, True),
        (0.1 + 0.2, 0.3, True),
        (0.3, 0.1 + 0.2, True),
        (0.69999, 0.7, False),
        (0.7 - 1e-8, 0.7, False),
        (math.nan, 0.7, False),
    ],
)
def test_score_is_rounded_before_it_is_compared_with_a_threshold(value: float, threshold: float, reached: bool) -> None:
    assert reaches(value, threshold) is reached
    assert exceeds(threshold, value) is (not reached and not math.isnan(value))


def test_shown_figures_have_no_float_noise() -> None:
    class Figure(BaseModel):
        mean: Tidy | None

    assert Figure(mean=0.6999999999999998).model_dump_json() == '{"mean":0.7}'
    assert Figure(mean=-1e-17).model_dump_json() == '{"mean":0.0}'
    assert Figure(mean=None).mean is None
    assert tidy(math.inf) == math.inf
