"""Correct a judge's means and pass rates by labels of people, and plan how many labels this needs.

Sources: Angelopoulos et al., "Prediction-powered inference" (2023) and "PPI++" (2023); Rogan and Gladen, "Estimating
prevalence from the results of a screening test" (1978); Lang and Reiczigel, "Confidence limits for prevalence of
disease adjusted for estimated sensitivity and specificity" (2014); Broska et al., "The mixed subjects design" (2025).

This module needs numpy, which the service loads at the first use.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

import numpy as np
from numpy.typing import NDArray

from orchestrator.results.domain.intervals import t_975

Floats = NDArray[np.float64]

_Z: Final = NormalDist().inv_cdf(0.975)
_LEAST_CLUSTERS: Final = 10
"""The fewest labelled clusters whose spread is known well enough for an interval."""


@dataclass(frozen=True)
class Judged:
    """An answer that the judge scored. Answers with the same `cluster` depend on each other, such as epochs of a
    case."""

    cluster: str
    judge: float


@dataclass(frozen=True)
class Labelled(Judged):
    """An answer that the judge scored and people labelled, both on the same scale. `human` is the people's label.

    The answer must have been drawn at random from all answers: labels of answers chosen in another way would distort
    the corrected mean.
    """

    human: float


@dataclass(frozen=True)
class CorrectedMean:
    """A mean of labels over all answers, estimated from the judge's scores and a random sample of labels.

    `raw` is the judge's mean without correction. `weight` (0…1) is the trust in the judge: 0 uses the labels alone.
    `error` is the standard error over clusters. `low` and `high` are a 95 % interval from the t distribution. They are
    null with fewer than 10 labelled clusters, or if the values do not vary.
    """

    value: float
    raw: float
    weight: float
    error: float
    labels: int
    clusters: int
    low: float | None
    high: float | None

    @property
    def normal_interval(self) -> tuple[float, float]:
        """Return the 95 % interval from the normal distribution, without a correction for few clusters. The library
        `ppi-python` computes the same interval."""
        factor = math.sqrt((self.clusters - 1) / self.clusters)
        return self.value - _Z * self.error * factor, self.value + _Z * self.error * factor


def corrected_mean(
    labelled: Sequence[Labelled], others: Sequence[Judged], *, weight: float | None = None
) -> CorrectedMean | None:
    """Correct the mean of a judge's scores: weight · mean(judge, others) + mean(human - weight · judge, labelled).

    `labelled` has the answers that were drawn at random and labelled. `others` are all other answers, also those that
    people labelled without such a draw. Without a `weight`, PPI++ chooses the one with the smallest variance. Return
    `None` with fewer than two labelled clusters, or without other answers.
    """
    clusters = {name: at for at, name in enumerate(dict.fromkeys(each.cluster for each in (*labelled, *others)))}
    labelled_clusters = len({each.cluster for each in labelled})
    if labelled_clusters < 2 or not others:
        return None
    human = np.array([each.human for each in labelled])
    judge = np.array([each.judge for each in labelled])
    rest = np.array([each.judge for each in others])
    trust = _best_weight(human, judge, rest) if weight is None else weight
    gap = human - trust * judge
    influence = np.zeros(len(clusters))
    np.add.at(influence, [clusters[each.cluster] for each in labelled], (gap - gap.mean()) / len(gap))
    np.add.at(influence, [clusters[each.cluster] for each in others], trust * (rest - rest.mean()) / len(rest))
    value = float(trust * rest.mean() + gap.mean())
    variance = float((influence**2).sum()) * labelled_clusters / (labelled_clusters - 1)
    error = math.sqrt(variance)
    known = labelled_clusters >= _LEAST_CLUSTERS and error > 1e-9
    half = t_975(labelled_clusters - 1) * error
    return CorrectedMean(
        value=value,
        raw=float(np.concatenate((judge, rest)).mean()),
        weight=trust,
        error=error,
        labels=len(gap),
        clusters=labelled_clusters,
        low=value - half if known else None,
        high=value + half if known else None,
    )


def _best_weight(human: Floats, judge: Floats, rest: Floats) -> float:
    spread = float(np.concatenate((judge, rest)).var(ddof=1))
    if spread <= 1e-12:
        return 0.0
    covariance = float(((human - human.mean()) * (judge - judge.mean())).mean())
    return min(1.0, max(0.0, covariance / ((1 + len(human) / len(rest)) * spread)))


@dataclass(frozen=True)
class Rate:
    """A rate as a count: `hits` of `total`. `total` is at least 1."""

    hits: int
    total: int

    @property
    def value(self) -> float:
        return self.hits / self.total


@dataclass(frozen=True)
class TransportedRate:
    """A judge's pass rate, corrected by the judge's errors on other answers, which people labelled.

    It assumes transport: the judge errs on these answers as often as on the labelled ones. `low` and `high` are the
    interval of Lang and Reiczigel. `unclipped` is the estimate before it is limited to 0…1. It leaves this range if the
    judge passes a smaller share than its rate of false alarms (1 - specificity), or a larger share than its
    sensitivity.
    """

    value: float | None
    unclipped: float | None = None
    error: float | None = None
    low: float | None = None
    high: float | None = None
    undefined_because: str | None = None
    assumes_transport: bool = True


def transported_rate(passed: Rate, specificity: Rate, sensitivity: Rate) -> TransportedRate:
    """Correct a judge's pass rate p by its specificity q0 and its sensitivity q1: (p + q0 - 1) / (q0 + q1 - 1).

    The corrected rate is undefined if the judge is no better than chance: q0 + q1 is at most 1.
    """
    p, q0, q1 = passed.value, specificity.value, sensitivity.value
    power = q0 + q1 - 1
    if power <= 1e-9:
        return TransportedRate(None, undefined_because="on the labelled answers the judge is no better than chance")
    raw = (p + q0 - 1) / power
    error = _delta_error(raw, (p, passed.total), (q0, specificity.total), (q1, sensitivity.total))
    low, high = _lang_reiczigel(passed, specificity, sensitivity)
    return TransportedRate(min(1.0, max(0.0, raw)), raw, error, low, high)


def _delta_error(rate: float, p: tuple[float, float], q0: tuple[float, float], q1: tuple[float, float]) -> float:
    def variance(of: tuple[float, float]) -> float:
        return of[0] * (1 - of[0]) / of[1]

    whole = variance(p) + (1 - rate) ** 2 * variance(q0) + rate**2 * variance(q1)
    return math.sqrt(whole) / (q0[0] + q1[0] - 1)


def _lang_reiczigel(passed: Rate, specificity: Rate, sensitivity: Rate) -> tuple[float | None, float | None]:
    z2 = _Z * _Z
    p = (passed.hits + z2 / 2) / (passed.total + z2), passed.total + z2
    q0 = (specificity.hits + 1) / (specificity.total + 2), specificity.total + 2
    q1 = (sensitivity.hits + 1) / (sensitivity.total + 2), sensitivity.total + 2
    power = q0[0] + q1[0] - 1
    if power <= 1e-9:
        return None, None
    rate = (p[0] + q0[0] - 1) / power
    shift = 2 * z2 * (rate * q1[0] * (1 - q1[0]) / q1[1] - (1 - rate) * q0[0] * (1 - q0[0]) / q0[1])
    half = _Z * _delta_error(rate, p, q0, q1)
    return max(0.0, min(1.0, rate + shift - half)), max(0.0, min(1.0, rate + shift + half))


@dataclass(frozen=True)
class LabelPlan:
    """A plan: people and the judge score `labels` answers, and the judge alone scores `others` further answers.

    Without a judge, people would have to label `effective_labels` answers to get an equally precise result.
    """

    labels: int
    others: int
    effective_labels: int
    cost_of_people: float
    cost_of_judge: float

    @property
    def cost(self) -> float:
        return self.cost_of_people + self.cost_of_judge


def plan_for_budget(*, correlation: float, budget: float, judge_cost: float, label_cost: float) -> LabelPlan | None:
    """Divide a budget between labels and verdicts, so that the corrected mean is as precise as possible.

    `correlation` is the correlation between the scores of judge and people. `judge_cost` and `label_cost` are the costs
    per answer, in the unit of `budget`. The judge also scores the labelled answers. Return `None` if the budget does
    not pay for two labels. Also return `None` if `judge_cost` is 0, because the number of verdicts then has no limit.
    """
    shared = min(correlation**2, 1 - 1e-9)
    each = max(1.0, math.sqrt(label_cost * shared / (judge_cost * (1 - shared)))) if judge_cost > 0 else math.inf
    if math.isinf(each):
        return None
    labels = math.floor(budget / (label_cost + judge_cost * each) + 1e-9)
    if labels < 2:
        return None
    others = math.floor(labels * (each - 1) + 1e-9)
    return _plan(labels, others, shared, judge_cost, label_cost)


def plan_for_width(
    *, correlation: float, spread: float, answers: int, half_width: float, judge_cost: float, label_cost: float
) -> LabelPlan | None:
    """Return the plan with the fewest labels that make the interval of a run's corrected mean at most ± `half_width`
    wide.

    `correlation` is the correlation between the scores of judge and people. `spread` is the standard deviation of the
    labels, and `answers` the number of the run's answers. The costs are per answer. Return `None` if even labels of all
    answers do not suffice.
    """
    shared = min(correlation**2, 1.0)
    scaled = (_Z * spread) ** 2
    reachable = half_width**2 - scaled * shared / answers
    if reachable <= 0:
        return None
    labels = max(2, math.ceil(scaled * (1 - shared) / reachable - 1e-9))
    if labels > answers:
        return None
    return _plan(labels, answers - labels, shared, judge_cost, label_cost)


def _plan(labels: int, others: int, shared: float, judge_cost: float, label_cost: float) -> LabelPlan:
    effective = labels / (1 - shared * others / (labels + others))
    return LabelPlan(labels, others, math.floor(effective), labels * label_cost, (labels + others) * judge_cost)
