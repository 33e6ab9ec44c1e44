"""Measure how much annotators agree: Krippendorff's alpha, Fleiss' kappa, Cohen's weighted kappa, with intervals.

A kappa or alpha is `None` where it is undefined, and the result says why. Labels are given as indices into the ordered
list of possible values. The formulas are our own, because the maintained libraries are under the GPL (`krippendorff`)
or bring in pandas (`evalica`). The tests compare our figures with those of both libraries.

This module needs numpy, so the service imports it only when it is first used.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from typing import Final
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.float64]
Ratings = Mapping[UUID, Mapping[UUID, int]]
"""The labels of each item: for each annotator, the index of the value that they chose."""

_RESAMPLES: Final = 1_000
_LEAST_ITEMS_OF_AN_INTERVAL: Final = 10
_NOTHING: Final = "no item has the labels of two annotators"
_ALL_EQUAL: Final = "all labels are the same, so agreement by chance can't be told apart"


class Level(StrEnum):
    """The level of measurement of a field's labels. It determines how the distance between two labels is computed."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"


@dataclass(frozen=True)
class Coefficient:
    """A coefficient of agreement over `items` items, with the 95 % interval (`low` to `high`) of a bootstrap over
    items.

    The interval is absent below 10 items, and if the coefficient is undefined for more than a tenth of the resamples.
    If the coefficient itself is undefined, `undefined_because` gives the reason.
    """

    value: float | None
    items: int
    low: float | None = None
    high: float | None = None
    undefined_because: str | None = None


def interpretation(alpha: float | None) -> str | None:
    """Return a sentence that rates the value of Krippendorff's alpha, in the words of docs/requirements.md. Return
    `None` without a value."""
    if alpha is None:
        return None
    if alpha >= 0.80:
        return "Good reliability: suitable for most applications"
    if alpha >= 0.67:
        return "Moderate reliability: acceptable for exploratory research"
    if alpha >= 0.40:
        return "Fair reliability: requires caution in interpretation"
    return "Poor reliability: not suitable for making conclusions"


def krippendorff_alpha(ratings: Ratings, values: Sequence[float], level: Level, *, seed: int = 0) -> Coefficient:
    """Compute Krippendorff's alpha over all items with at least two labels. `values` has the possible labels as
    numbers, in their order.

    Source: Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011).
    """
    counts = _counts(ratings, len(values))
    counts = counts[counts.sum(axis=1) >= 2]
    if not len(counts):
        return Coefficient(None, 0, undefined_because=_NOTHING)

    def alpha(some: Counts) -> float | None:
        return _alpha(some, np.asarray(values, dtype=float), level)

    return _with_interval(counts, alpha, seed)


def _alpha(counts: Counts, values: NDArray[np.float64], level: Level) -> float | None:
    marginals = counts.sum(axis=0)
    total = marginals.sum()
    distance = _distances(marginals, values, level)
    expected = (np.outer(marginals, marginals) * distance).sum() / (total - 1)
    if expected <= 0:
        return None
    per_item = counts.sum(axis=1)
    pairs = np.einsum("ic,cd,id->i", counts, distance, counts)
    return float(1 - (pairs / (per_item - 1)).sum() / expected)


def _distances(marginals: Counts, values: NDArray[np.float64], level: Level) -> Counts:
    if level is Level.NOMINAL:
        return 1.0 - np.eye(len(values))
    if level is Level.INTERVAL:
        return np.asarray((values[:, None] - values[None, :]) ** 2)
    # Ordinal: the distance is a number of labels, squared: those between two values, and half of those of each value.
    middle = np.cumsum(marginals) - marginals / 2
    return np.asarray((middle[:, None] - middle[None, :]) ** 2)


def fleiss_kappa(ratings: Ratings, categories: int, *, seed: int = 0) -> Coefficient:
    """Compute Fleiss' kappa. The formula needs equally many labels for each item, and at least two. So items with fewer
    than two labels are left out. Only the items with the most frequent number of labels among the rest are used.

    Source: Fleiss, "Measuring nominal scale agreement among many raters" (1971).
    """
    counts = _counts(ratings, categories)
    per_item = counts.sum(axis=1)
    paired = per_item[per_item >= 2]
    if not len(paired):
        return Coefficient(None, 0, undefined_because=_NOTHING)
    numbers, frequencies = np.unique(paired, return_counts=True)
    usual = numbers[np.argmax(frequencies)]
    return _with_interval(counts[per_item == usual], _fleiss, seed)


def _fleiss(counts: Counts) -> float | None:
    raters = counts[0].sum()
    shares = counts.sum(axis=0) / counts.sum()
    chance = float((shares**2).sum())
    if chance >= 1 - 1e-12:
        return None
    observed = float((((counts**2).sum(axis=1) - raters) / (raters * (raters - 1))).mean())
    return (observed - chance) / (1 - chance)


def _with_interval(counts: Counts, measure: Callable[[Counts], float | None], seed: int) -> Coefficient:
    items = len(counts)
    value = measure(counts)
    if value is None:
        return Coefficient(None, items, undefined_because=_ALL_EQUAL)
    if items < _LEAST_ITEMS_OF_AN_INTERVAL:
        return Coefficient(value, items)
    chance = np.random.default_rng(seed)
    resampled = (measure(counts[chance.integers(0, items, items)]) for _ in range(_RESAMPLES))
    defined = [each for each in resampled if each is not None]
    # Resamples without any disagreement are left out only as long as they are rare.
    if len(defined) < 0.9 * _RESAMPLES:
        return Coefficient(value, items)
    low, high = np.quantile(defined, [0.025, 0.975])
    return Coefficient(value, items, float(low), float(high))


def _counts(ratings: Ratings, categories: int) -> Counts:
    """Return an array of items × values with the number of annotators who gave the item that value."""
    counts = np.zeros((len(ratings), categories))
    for row, labels in enumerate(ratings.values()):
        for value in labels.values():
            counts[row, value] += 1
    return counts


@dataclass(frozen=True)
class PairAgreement:
    """The agreement of two annotators over the `items` items that both labelled. `exact` is the share of these items
    with equal labels. `kappa` is Cohen's kappa; for labels on a rating scale it has quadratic weights.

    `undefined_because` gives the reason if the kappa is undefined.
    """

    first: UUID
    second: UUID
    items: int
    exact: float
    kappa: float | None
    undefined_because: str | None = None


def cohens_kappas(ratings: Ratings, categories: int, *, weighted: bool) -> list[PairAgreement]:
    """Compare each pair of annotators who have both labelled at least one item. If `weighted`, a disagreement counts by
    the squared distance between the positions of the two categories.

    Source: Cohen, "Weighted kappa" (1968).
    """
    confusion: dict[tuple[UUID, UUID], Counts] = {}
    for labels in ratings.values():
        for first, second in combinations(sorted(labels), 2):
            table = confusion.setdefault((first, second), np.zeros((categories, categories)))
            table[labels[first], labels[second]] += 1
    return [_pair(*pair, table, weighted=weighted) for pair, table in sorted(confusion.items())]


def _pair(first: UUID, second: UUID, table: Counts, *, weighted: bool) -> PairAgreement:
    kappa = cohens_kappa(table, weighted=weighted)
    items, exact = int(table.sum()), float(np.trace(table) / table.sum())
    return PairAgreement(first, second, items, exact, kappa, None if kappa is not None else _ALL_EQUAL)


def cohens_kappa(table: Counts, *, weighted: bool) -> float | None:
    """Return Cohen's kappa of a square table of counts. Return `None` if no disagreement is expected by chance, because
    the kappa is then undefined."""
    positions = np.arange(len(table))
    weights = (positions[:, None] - positions[None, :]) ** 2 if weighted else 1 - np.eye(len(table))
    total = table.sum()
    chance = np.outer(table.sum(axis=1), table.sum(axis=0)) / total if total else table
    expected = float((weights * chance).sum())
    if expected <= 0:
        return None
    return 1 - float((weights * table).sum()) / expected
