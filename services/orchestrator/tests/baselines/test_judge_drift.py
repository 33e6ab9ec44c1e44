"""Test the statistics by which a judge check finds that a judge has changed. The p-value is compared with a permutation
test that tries everything, and the decisions are tried on simulated judges.
"""

import itertools
import random
from collections.abc import Callable
from statistics import fmean

import pytest
from scipy.stats import binomtest

from orchestrator.baselines.domain.judge_drift import ALPHA, ANSWERS, FEWEST, REPEATS, JudgedAgain, judge_drift

SIMULATED = 400


def counted(answers: list[JudgedAgain]) -> float:
    """Return the p-value of the mean shift of scores, by a permutation test. It tries every way to choose one score of
    each answer as the stored one."""
    choices = [[answer.stored, *answer.again] for answer in answers]

    def shift(stored: tuple[int, ...]) -> float:
        return sum(
            fmean(scores[:at] + scores[at + 1 :]) - scores[at] for scores, at in zip(choices, stored, strict=True)
        )

    observed = abs(shift((0,) * len(answers)))
    every = [abs(shift(stored)) for stored in itertools.product(*(range(len(scores)) for scores in choices))]
    return sum(value >= observed - 1e-9 for value in every) / len(every)


@pytest.mark.parametrize("seed", range(5))
def test_p_value_is_the_share_of_assignments(seed: int) -> None:
    drawn = random.Random(seed)  # reproducible
    answers = [
        JudgedAgain(drawn.randint(0, 10) / 10, [drawn.randint(0, 10) / 10 for _ in range(REPEATS)]) for _ in range(6)
    ]
    drift = judge_drift(answers)
    assert drift is not None
    assert drift.p == pytest.approx(counted(answers))
    assert drift.shift == pytest.approx(fmean(fmean(answer.again) - answer.stored for answer in answers))


def steady_shift(changed: int) -> list[JudgedAgain]:
    """Return the scores of ten answers, judged again by a judge that always repeats itself. The new scores of `changed`
    answers are lower than the stored score."""
    return [JudgedAgain(0.8, [0.7 if answer < changed else 0.8] * REPEATS) for answer in range(ANSWERS)]


@pytest.mark.parametrize(("changed", "is_told"), [(0, False), (1, False), (4, False), (5, True), (10, True)])
def test_judge_without_spread_has_changed_when_half_of_its_scores_are_lower(changed: int, is_told: bool) -> None:
    drift = judge_drift(steady_shift(changed))
    assert drift is not None
    assert drift.changed is is_told
    assert drift.p == pytest.approx(1 if changed == 0 else 3**-changed)


def test_too_few_answers_are_not_tested() -> None:
    assert judge_drift(steady_shift(0)[: FEWEST - 1]) is None
    assert judge_drift(steady_shift(0)[:FEWEST]) is not None


def simulated(shift: float, noise: Callable[[random.Random], float]) -> int:
    """Return in how many of `SIMULATED` simulated checks the judge is found to have changed. `shift` is added to each
    repeated score. `noise` draws the noise of each score, stored or repeated."""
    drawn = random.Random(20_261_127)  # reproducible
    changed = 0
    for _ in range(SIMULATED):
        answers = []
        for _ in range(ANSWERS):
            quality = drawn.uniform(0.2, 0.9)

            def score(by: float = 0.0, quality: float = quality) -> float:
                return round(min(1.0, max(0.0, quality + by + noise(drawn))), 1)

            answers.append(JudgedAgain(score(), [score(shift) for _ in range(REPEATS)]))
        drift = judge_drift(answers)
        changed += drift is not None and drift.changed
    return changed


def wide(drawn: random.Random) -> float:
    return drawn.gauss(0, 0.15)


def skewed(drawn: random.Random) -> float:
    """Return the noise of a judge whose scores are sometimes far off."""
    return -0.7 if drawn.random() < 0.1 else 0.0


def narrow(drawn: random.Random) -> float:
    return drawn.gauss(0, 0.05)


@pytest.mark.parametrize("noise", [wide, skewed, narrow])
def test_judge_that_merely_varies_is_rarely_said_to_have_changed(noise: Callable[[random.Random], float]) -> None:
    false_alarms = simulated(0.0, noise)
    # The claim fails only if a 99 % bound excludes it.
    assert binomtest(false_alarms, SIMULATED, ALPHA, alternative="greater").pvalue > 0.01


@pytest.mark.parametrize(("noise", "shift", "at_least"), [(narrow, -0.1, 0.8), (wide, -0.3, 0.9), (wide, 0.2, 0.5)])
def test_judge_that_shifts_is_found(noise: Callable[[random.Random], float], shift: float, at_least: float) -> None:
    assert simulated(shift, noise) / SIMULATED > at_least
