"""Measure how far a judge agrees with people, and how far people agree with each other.

A measure that is undefined is null with the reason. Intervals are 95 % and clustered: bootstrap over clusters for
kappa, alpha and Spearman, t for the bias, Wilson for rates.

This module has its own formulas, because the maintained libraries are under the GPL (`krippendorff`) or large
(`scikit-learn`). Tests compare the formulas with reference values of both libraries. This module needs numpy and scipy,
which the service loads at the first use.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from orchestrator.results.domain.intervals import Clusters, pass_interval, rate_interval, standard_error, t_975

Floats = NDArray[np.float64]

_RESAMPLES: Final = 1_000
_LEAST_CLUSTERS: Final = 10
"""The fewest clusters for a bootstrap interval; with fewer it is too narrow."""
_NONE: Final = "no answer has both a label and a score"
_ALL_EQUAL: Final = "all values are equal, so agreement by chance can't be told apart"
_ONE_PERSON: Final = "no answer has the labels of two people"


class BadLabels(ValueError):
    """Raised if labels or scores are not on the scale, or an answer has no label. The message names the first fault."""


@dataclass(frozen=True)
class Scale:
    """The levels of a rating in ascending order, at least two, and the level from which an answer passes."""

    levels: tuple[float, ...]
    pass_mark: float

    def position(self, value: float) -> int:
        """Return the index of the nearest level; of two equally near levels, the lower. Raise `BadLabels` if the value
        is beyond the ends of the scale."""
        if not self.levels[0] <= value <= self.levels[-1]:  # refuses NaN, too
            raise BadLabels(f"{value:g} is not between {self.levels[0]:g} and {self.levels[-1]:g}")
        return min(range(len(self.levels)), key=lambda at: abs(self.levels[at] - value))


@dataclass(frozen=True)
class Case:
    """An answer with the judge's score, the consensus of the people, and the label of each person."""

    item: str
    cluster: str
    judge: float
    consensus: float
    labels: Mapping[str, float]
    category: str | None = None
    length: int = 0


@dataclass(frozen=True)
class AgreementFigure:
    """A figure of agreement, such as kappa, over `answers` answers, with its 95 % interval. If it is undefined,
    `undefined_because` says why."""

    value: float | None
    answers: int
    low: float | None = None
    high: float | None = None
    undefined_because: str | None = None


@dataclass(frozen=True)
class AgreementFigures:
    """The agreement of one rater, a judge or a person, with the labels of people.

    `bias` is the mean difference of rater and label, and `mean_error` the mean absolute difference, both in the unit of
    the scale. A positive bias means a generous rater. `sensitivity` is the share of passing answers that the rater
    passes, `specificity` the share of failing ones that it fails.
    """

    kappa: AgreementFigure
    spearman: AgreementFigure
    bias: AgreementFigure
    mean_error: float | None
    exact: AgreementFigure
    within_one: AgreementFigure
    sensitivity: AgreementFigure
    specificity: AgreementFigure


@dataclass(frozen=True)
class Calibration:
    """The agreement of a judge with the consensus of people, and the agreement among people for comparison.

    `confusion[i][j]` counts answers that people put at level i and the judge at level j. `worst` are the answers on
    which judge and people differ most, the greatest difference first.
    """

    judge: AgreementFigures
    alpha_with_judge: AgreementFigure
    people: AgreementFigures
    alpha_of_people: AgreementFigure
    by_category: dict[str, AgreementFigures]
    by_length: dict[str, AgreementFigures]
    confusion: list[list[int]]
    worst: list[Case]


@dataclass(frozen=True)
class _Pair:
    cluster: str
    truth: float
    rater: float


def calibration(cases: Sequence[Case], scale: Scale, *, worst: int = 20, seed: int = 0) -> Calibration:
    """Measure how far a judge agrees with people. `worst` is the maximum number of worst answers to return; `seed` is
    the seed of the bootstrap. Raise `BadLabels` for a value outside the scale, or a case without labels."""
    _check(cases, scale)
    table = _confusion([_pair(case) for case in cases], scale)
    ranked = sorted(cases, key=lambda case: (-abs(case.judge - case.consensus), case.item))
    return Calibration(
        judge=_measured(cases, scale, seed),
        alpha_with_judge=_alpha(cases, scale, with_judge=True, seed=seed),
        people=agreement_figures(list(_among_people(cases)), scale, seed=seed, nothing=_ONE_PERSON),
        alpha_of_people=_alpha(cases, scale, with_judge=False, seed=seed),
        by_category={name: _measured(some, scale, seed) for name, some in _by_category(cases).items()},
        by_length={name: _measured(some, scale, seed) for name, some in _by_length(cases).items()},
        confusion=[[int(count) for count in row] for row in table],
        worst=[case for case in ranked[:worst] if case.judge != case.consensus],
    )


def _check(cases: Iterable[Case], scale: Scale) -> None:
    for case in cases:
        if not case.labels:
            raise BadLabels(f"answer {case.item} has no label")
        for value in (case.judge, case.consensus, *case.labels.values()):
            try:
                scale.position(value)
            except BadLabels as error:
                raise BadLabels(f"answer {case.item}: {error}") from None


def _measured(cases: Sequence[Case], scale: Scale, seed: int) -> AgreementFigures:
    return agreement_figures([_pair(case) for case in cases], scale, seed=seed)


def _pair(case: Case) -> _Pair:
    return _Pair(case.cluster, case.consensus, case.judge)


def _among_people(cases: Iterable[Case]) -> Iterable[_Pair]:
    """Yield each person's label with the median of the other people's labels for the same answer."""
    for case in cases:
        for person, label in case.labels.items():
            others = [other for name, other in case.labels.items() if name != person]
            if others:
                yield _Pair(case.cluster, median(others), label)


def _by_category(cases: Iterable[Case]) -> dict[str, list[Case]]:
    groups: dict[str, list[Case]] = {}
    for case in cases:
        if case.category is not None:
            groups.setdefault(case.category, []).append(case)
    return dict(sorted(groups.items()))


def _by_length(cases: Sequence[Case]) -> dict[str, list[Case]]:
    """Divide the answers by length into thirds: short, medium and long. Answers of equal length stay together, so a
    third may be missing."""
    if not cases:
        return {}
    lower, upper = np.quantile([case.length for case in cases], [1 / 3, 2 / 3])
    groups: dict[str, list[Case]] = {"short": [], "medium": [], "long": []}
    for case in cases:
        groups["short" if case.length <= lower else "medium" if case.length <= upper else "long"].append(case)
    return {name: some for name, some in groups.items() if some}


def agreement_figures(pairs: Sequence[_Pair], scale: Scale, *, seed: int = 0, nothing: str = _NONE) -> AgreementFigures:
    """Measure how far a rater agrees with the truth; each pair has the rater's value and the true value of an answer.
    Without any pair, all figures are undefined, and `nothing` is the reason that they give."""
    if not pairs:
        none = AgreementFigure(None, 0, undefined_because=nothing)
        return AgreementFigures(none, none, none, None, none, none, none, none)
    truth, rater = np.array([pair.truth for pair in pairs]), np.array([pair.rater for pair in pairs])
    positions = np.array([[scale.position(pair.truth), scale.position(pair.rater)] for pair in pairs])
    members = _members([pair.cluster for pair in pairs])
    passing, passed = truth >= scale.pass_mark, rater >= scale.pass_mark
    steps = np.abs(positions[:, 0] - positions[:, 1])

    def rate(hits: NDArray[np.bool_], among: NDArray[np.bool_], empty: str = nothing) -> AgreementFigure:
        return _rate([(pairs[at].cluster, bool(hits[at])) for at in np.flatnonzero(among).tolist()], empty)

    every = np.ones(len(pairs), dtype=bool)
    return AgreementFigures(
        kappa=_bootstrap(members, len(pairs), lambda rows: _kappa(positions[rows], len(scale.levels)), seed),
        spearman=_bootstrap(members, len(pairs), lambda rows: _spearman(truth[rows], rater[rows]), seed),
        bias=_bias([pair.cluster for pair in pairs], rater - truth),
        mean_error=float(np.abs(rater - truth).mean()),
        exact=rate(steps == 0, every),
        within_one=rate(steps <= 1, every),
        sensitivity=rate(passed, passing, "people pass no answer"),
        specificity=rate(~passed, ~passing, "people fail no answer"),
    )


def _members(clusters: Sequence[str]) -> list[NDArray[np.intp]]:
    rows: dict[str, list[int]] = {}
    for at, cluster in enumerate(clusters):
        rows.setdefault(cluster, []).append(at)
    return [np.array(some) for some in rows.values()]


def _bootstrap(
    members: Sequence[NDArray[np.intp]], answers: int, figure: Callable[[NDArray[np.intp]], float | None], seed: int
) -> AgreementFigure:
    value = figure(np.arange(answers))
    if value is None:
        return AgreementFigure(None, answers, undefined_because=_ALL_EQUAL)
    if len(members) < _LEAST_CLUSTERS:
        return AgreementFigure(value, answers)
    chance = np.random.default_rng(seed)
    draws = (chance.integers(0, len(members), len(members)) for _ in range(_RESAMPLES))
    found = [figure(np.concatenate([members[at] for at in drawn])) for drawn in draws]
    defined = [each for each in found if each is not None]
    # Resamples in which nothing varies are left out only as long as they are rare.
    if len(defined) < 0.9 * _RESAMPLES:
        return AgreementFigure(value, answers)
    low, high = np.quantile(defined, [0.025, 0.975])
    return AgreementFigure(value, answers, float(low), float(high))


def _confusion(pairs: Sequence[_Pair], scale: Scale) -> NDArray[np.intp]:
    table = np.zeros((len(scale.levels), len(scale.levels)), dtype=np.intp)
    for pair in pairs:
        table[scale.position(pair.truth), scale.position(pair.rater)] += 1
    return table


def _kappa(positions: NDArray[np.intp], levels: int) -> float | None:
    """Return Cohen's quadratic kappa (1968): 1 - observed / expected. Return `None` if `expected` is 0.

    `positions` has a row per answer: the level that one rater gave it, and the level that the other gave it, as
    indices. `observed` is the mean squared distance of the two levels; `expected` is the one that chance would give.
    """
    first, second = positions[:, 0].astype(float), positions[:, 1].astype(float)
    expected = first.var() + second.var() + (first.mean() - second.mean()) ** 2
    if levels < 2 or expected <= 1e-12:
        return None
    return float(1 - ((first - second) ** 2).mean() / expected)


def _spearman(truth: Floats, rater: Floats) -> float | None:
    if np.ptp(truth) == 0 or np.ptp(rater) == 0:
        return None
    return float(np.corrcoef(stats.rankdata(truth), stats.rankdata(rater))[0, 1])


def _alpha(cases: Sequence[Case], scale: Scale, *, with_judge: bool, seed: int) -> AgreementFigure:
    """Compute Krippendorff's ordinal alpha (2011) of all people. With `with_judge`, the judge counts as one more
    rater."""
    rows: list[tuple[str, list[float]]] = []
    for case in cases:
        values = [*case.labels.values(), *([case.judge] if with_judge else [])]
        if len(values) > 1:
            rows.append((case.cluster, values))
    if not rows:
        return AgreementFigure(None, 0, undefined_because=_NONE if with_judge else _ONE_PERSON)
    counts = np.zeros((len(rows), len(scale.levels)))
    for at, (_, values) in enumerate(rows):
        for value in values:
            counts[at, scale.position(value)] += 1
    members = _members([cluster for cluster, _ in rows])
    return _bootstrap(members, len(rows), lambda some: ordinal_alpha(counts[some]), seed)


def ordinal_alpha(counts: Floats) -> float | None:
    """Return Krippendorff's ordinal alpha; `None` if all values are equal. `counts` has a row per answer and a column
    per level: how often raters gave the answer this level. Each row has at least two ratings."""
    marginals = counts.sum(axis=0)
    middle = np.cumsum(marginals) - marginals / 2
    distance = (middle[:, None] - middle[None, :]) ** 2
    expected = (np.outer(marginals, marginals) * distance).sum() / (marginals.sum() - 1)
    if expected <= 0:
        return None
    within = np.einsum("ic,cd,id->i", counts, distance, counts) / (counts.sum(axis=1) - 1)
    return float(1 - within.sum() / expected)


def _sums(values: Iterable[tuple[str, float]]) -> Clusters:
    sums: dict[str, tuple[int, float]] = {}
    for cluster, value in values:
        n, x = sums.get(cluster, (0, 0.0))
        sums[cluster] = n + 1, x + value
    every = list(sums.values())
    return Clusters(
        count=len(every),
        n=sum(n for n, _ in every),
        x=sum(x for _, x in every),
        xx=sum(x * x for _, x in every),
        xn=sum(x * n for n, x in every),
        nn=sum(n * n for n, _ in every),
    )


def _bias(clusters: Sequence[str], differences: Floats) -> AgreementFigure:
    sums = _sums(zip(clusters, differences.tolist(), strict=True))
    mean, error = sums.x / sums.n, standard_error(sums)
    if error is None:
        return AgreementFigure(mean, sums.n)
    half = t_975(sums.count - 1) * error
    return AgreementFigure(mean, sums.n, mean - half, mean + half)


def _rate(hits: Sequence[tuple[str, bool]], empty: str) -> AgreementFigure:
    if not hits:
        return AgreementFigure(None, 0, undefined_because=empty)
    sums = _sums((cluster, float(hit)) for cluster, hit in hits)
    ends = rate_interval(sums.x / sums.n, sums.n) if sums.count == sums.n else pass_interval(sums)
    low, high = ends or (None, None)
    return AgreementFigure(sums.x / sums.n, sums.n, low, high)
