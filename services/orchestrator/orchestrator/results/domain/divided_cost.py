"""Divide the cost of a run into its answers, its judging, and other calls."""

from collections.abc import Iterable
from typing import NamedTuple

from llmbench.thresholds import tidy


class DividedCost(NamedTuple):
    answers_usd: float
    judging_usd: float
    other_usd: float


def divided_cost(run_usd: float, *, answers: float | None, judging: Iterable[float | None]) -> DividedCost | None:
    """Return the parts of a run's cost, which add up to it. Return `None` if its answers and scores cost more than the
    run, because it did not pay for all of them.

    `answers` is the cost of all answers, and `judging` that of the scores of each evaluator; unknown costs are `None`.

    >>> divided_cost(3.5, answers=2.0, judging=[1.0, None])
    DividedCost(answers_usd=2.0, judging_usd=1.0, other_usd=0.5)
    >>> divided_cost(0.3, answers=0.1, judging=[0.2]).other_usd
    0.0
    >>> divided_cost(2.5, answers=2.0, judging=[1.0])
    """
    parts = DividedCost(answers or 0.0, sum(each or 0.0 for each in judging), 0.0)
    other = tidy(run_usd - sum(parts))
    return parts._replace(other_usd=other) if other >= 0 else None
