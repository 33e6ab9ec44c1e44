"""Test whether a judge has changed since a baseline: judge some stored answers again, and compare the scores.

The test is an exact permutation test. If the judge is unchanged, each of an answer's scores, stored or new, might as
well have been the stored one. So the change is measured against the spread of the judge's own scores, whatever their
distribution is (Fisher, The Design of Experiments, 1935; Phipson and Smyth, SAGMB 2010).
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

ANSWERS: Final = 10
"""The number of stored answers that are judged again."""
REPEATS: Final = 2
"""The number of times that each stored answer is judged again, which shows how much the judge's scores vary."""
FEWEST: Final = 5
"""The least number of answers. With fewer, no change is significant: the smallest p-value for n answers is 3**-n."""
ALPHA: Final = 0.01
"""The probability that the check of an unchanged judge is a false alarm. It is small, so that checks hardly reduce the
probability that a gate gives an unchanged model the verdict *fine*, which is at least 0.8."""
_DECIMALS: Final = 9


@dataclass(frozen=True)
class JudgedAgain:
    """One stored answer that a judge has judged again, with its normalised scores.

    `stored` is the score in the run that the answer comes from; `again` has the new scores.
    """

    stored: float
    again: Sequence[float]


@dataclass(frozen=True)
class JudgeDrift:
    """The result of the test whether a judge has changed. `shift` is the mean of (new score - stored score), `p` is the
    p-value. `changed` is true if the shift is beyond the judge's own spread."""

    answers: int
    shift: float
    p: float
    changed: bool


def judge_drift(answers: Sequence[JudgedAgain], *, alpha: float = ALPHA) -> JudgeDrift | None:
    """Test whether the judge has changed. Return `None` if there are fewer than `FEWEST` answers.

    Each answer has one stored score and several new ones. Its shift is the mean of the new scores minus the stored one.
    If the judge is unchanged, each of the scores could as well have been the stored one. So the shift is also computed
    with each new score in the place of the stored one. To combine the answers, one shift of each is taken, and these
    are added. The p-value is the share of all combinations whose sum is at least as far from 0 as the observed sum. It
    is exact.
    """
    if len(answers) < FEWEST:
        return None
    shifts = [_shifts(answer) for answer in answers]
    observed = sum(of_answer[0] for of_answer in shifts)
    # The distribution of the sum, by adding one answer after another.
    sums = {0.0: 1.0}
    for of_answer in shifts:
        added: defaultdict[float, float] = defaultdict(float)
        for total, probability in sums.items():
            for shift in of_answer:
                added[round(total + shift, _DECIMALS)] += probability / len(of_answer)
        sums = added
    least = abs(observed) - 10.0 ** (1 - _DECIMALS) * len(answers)
    p = min(1.0, sum(probability for total, probability in sums.items() if abs(total) >= least))
    return JudgeDrift(len(answers), round(observed / len(answers), _DECIMALS), p, changed=p <= alpha)


def drift_words(drift: JudgeDrift, baseline: str) -> str:
    """Return a text that says how the judge has changed, and what to do.

    >>> drift_words(JudgeDrift(10, -0.12, 0.0004, changed=True), "Nightly 1")  # doctest: +ELLIPSIS
    "It gives 10 stored answers of 'Nightly 1' 0.120 less on average than it gave them (p = 0.0004), beyond its own ..."
    """
    more = "more" if drift.shift > 0 else "less"
    return (
        f"It gives {drift.answers} stored answers of '{baseline}' {abs(drift.shift):.3f} {more} on average than it "
        f"gave them (p = {drift.p:.2g}), beyond its own spread. So the scores of the two runs cannot be compared: "
        "use the former judge again, or make a run with the present one the baseline and the anchor."
    )


def _shifts(answer: JudgedAgain) -> list[float]:
    """Return, for each score of the answer, how much higher the mean of the answer's other scores is. The stored score
    comes first."""
    scores = [answer.stored, *answer.again]
    total, others = sum(scores), len(scores) - 1
    return [(total - score) / others - score for score in scores]
