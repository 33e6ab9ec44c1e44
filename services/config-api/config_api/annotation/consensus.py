"""Find the labels on which annotators agree: by majority, or by the model of Dawid and Skene.

This module needs numpy, so the service imports it only when it is first used.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from config_api.annotation.agreement import Ratings

_MOST_ROUNDS: Final = 500
_CLOSE: Final = 1e-8


class Method(StrEnum):
    MAJORITY = "majority"
    DAWID_SKENE = "dawid_skene"


@dataclass(frozen=True)
class Agreed:
    """The label that the annotators of an item agree on.

    `value` is the index of the value with the most votes; `None` if several values have the most. `confidence` is the
    share of votes for this value or, with the model of Dawid and Skene, the value's probability. `votes` is the number
    of the item's labels.
    """

    value: int | None
    confidence: float
    votes: int


def majority(ratings: Ratings) -> dict[UUID, Agreed]:
    """Return the most frequent label of each labelled item. The label is `None` if several are the most frequent."""
    return {item: _majority(labels) for item, labels in ratings.items() if labels}


def _majority(labels: Mapping[UUID, int]) -> Agreed:
    ranked = Counter(labels.values()).most_common(2)
    tied = len(ranked) == 2 and ranked[0][1] == ranked[1][1]
    return Agreed(None if tied else ranked[0][0], ranked[0][1] / len(labels), len(labels))


@dataclass(frozen=True)
class Skills:
    """The result of Dawid and Skene's model: the consensus of each item, and the skill of each annotator.

    The skill is the expected share of right labels among the annotator's labels, from 0 to 1.
    """

    agreed: dict[UUID, Agreed]
    skill: dict[UUID, float]


def dawid_skene(
    ratings: Ratings, categories: int, *, prior: float = 1.0, most_rounds: int = _MOST_ROUNDS, close: float = _CLOSE
) -> Skills:
    """Estimate the true label of each item and the mistakes of each annotator, by expectation maximisation.

    Imaginary labels (a Dirichlet prior) are added to each annotator's own, so that a handful of real labels does not
    make the model certain. They are counts in the annotator's table of true and given labels. For each true label,
    `prior` of them are right, and each wrong label gets `prior` / `categories`. The iteration ends after `most_rounds`
    rounds, or when no probability changes by `close` or more.

    Source: Dawid & Skene, "Maximum Likelihood Estimation of Observer Error-Rates Using the EM Algorithm" (1979).
    """
    items = [item for item, labels in ratings.items() if labels]
    annotators = sorted({annotator for item in items for annotator in ratings[item]})
    if not items:
        return Skills({}, {})
    votes = _votes(ratings, items, annotators, categories)
    smoothing = prior * (np.eye(categories) + (1 - np.eye(categories)) / categories)
    truth = votes.sum(axis=1) / votes.sum(axis=(1, 2))[:, None]
    for _ in range(most_rounds):
        shares, confusion = _maximise(truth, votes, smoothing)
        before, truth = truth, _expect(shares, confusion, votes)
        if np.abs(truth - before).max() < close:
            break
    shares, confusion = _maximise(truth, votes, smoothing)
    skill = np.einsum("acc,c->a", confusion, shares)
    return Skills(
        {item: _chosen(row, len(ratings[item])) for item, row in zip(items, truth, strict=True)},
        {annotator: float(each) for annotator, each in zip(annotators, skill, strict=True)},
    )


def _votes(ratings: Ratings, items: Sequence[UUID], annotators: Sequence[UUID], categories: int) -> NDArray[np.float64]:
    """Return an array of items × annotators × categories: 1 where an annotator gave the label, else 0."""
    place = {annotator: index for index, annotator in enumerate(annotators)}
    votes = np.zeros((len(items), len(annotators), categories))
    for row, item in enumerate(items):
        for annotator, value in ratings[item].items():
            votes[row, place[annotator], value] = 1
    return votes


def _maximise(
    truth: NDArray[np.float64], votes: NDArray[np.float64], smoothing: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return two arrays: the share of items for which each label is the true one, and a matrix for each annotator. The
    matrix has the probability of each given label (column) for each true label (row)."""
    confusion = np.einsum("it,ias->ats", truth, votes) + smoothing
    return truth.mean(axis=0), confusion / confusion.sum(axis=2, keepdims=True)


def _expect(
    shares: NDArray[np.float64], confusion: NDArray[np.float64], votes: NDArray[np.float64]
) -> NDArray[np.float64]:
    # The sum of logarithms does not underflow, however many annotators there are.
    logs = np.log(shares + 1e-300) + np.einsum("ias,ats->it", votes, np.log(confusion + 1e-300))
    odds = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))


def _chosen(probabilities: NDArray[np.float64], votes: int) -> Agreed:
    best = int(probabilities.argmax())
    tied = bool((np.abs(probabilities - probabilities[best]) < 1e-9).sum() > 1)
    return Agreed(None if tied else best, float(probabilities[best]), votes)


def borda(rankings: Sequence[Sequence[int]]) -> tuple[list[int] | None, float]:
    """Return the indices of the options in the order of their mean ranks, best first, and Kendall's W (0 to 1) as
    confidence.

    The order is `None` if two options have equal mean ranks. Each ranking lists the indices of all options, best first.

    Source: Kendall & Babington Smith, "The Problem of m Rankings" (1939).
    """
    ranks = np.argsort(np.asarray(rankings), axis=1)
    sums = ranks.sum(axis=0)
    raters, options = ranks.shape
    agreement = 12 * float(((sums - sums.mean()) ** 2).sum()) / (raters**2 * (options**3 - options))
    order = np.argsort(sums, kind="stable")
    tied = len(set(sums.tolist())) < options
    return (None if tied else [int(each) for each in order]), agreement
