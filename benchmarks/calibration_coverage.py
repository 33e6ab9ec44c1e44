"""Simulate two methods that rely on people's labels: the correction of a judge's mean score, and the consensus.

The first simulation counts how often the interval of a corrected mean includes the true mean. The second compares the
labels by Dawid and Skene's method with those by majority vote. Both call the services' own functions, also to choose
the answers that people label. Random numbers have fixed seeds.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

import numpy as np

from benchmarks.experiment_rows import Count, Floats, chunks, spread
from config_api.annotation.consensus import dawid_skene, majority
from orchestrator.results.domain.calibration.correcting import Judged, Labelled, corrected_mean
from orchestrator.results.domain.label_sample import Answer, Wanted, choose, singles_of

_ANSWERS = 400
_LABELS = 200
_AUDIT_SHARE = 0.3
_TARGET = UUID(int=1)
_IDS = [UUID(int=1000 + at) for at in range(_ANSWERS)]


@dataclass(frozen=True)
class Judge:
    """A simulated judge. `draw` returns the labels that people would give the answers of a run, and the judge's scores.
    `truth` is the true mean of the labels."""

    name: str
    draw: Callable[[np.random.Generator], tuple[Floats, Floats]]
    truth: float


def _passes(generous: float, noise: float) -> Callable[[np.random.Generator], tuple[Floats, Floats]]:
    def draw(random: np.random.Generator) -> tuple[Floats, Floats]:
        human = (random.random(_ANSWERS) < 0.6).astype(float)
        return human, np.clip(0.45 + 0.3 * human + generous + random.normal(0, noise, _ANSWERS), 0, 1)

    return draw


def _ratings(random: np.random.Generator) -> tuple[Floats, Floats]:
    human = random.choice([0.0, 0.25, 0.5, 0.75, 1.0], _ANSWERS, p=[0.1, 0.1, 0.2, 0.3, 0.3])
    return human, np.clip(human + 0.1 + random.normal(0, 0.2, _ANSWERS), 0, 1)


JUDGES = (
    Judge("passes, a fair judge", _passes(0.0, 0.15), 0.6),
    Judge("passes, a generous judge", _passes(0.15, 0.15), 0.6),
    Judge("passes, a judge that hardly knows", _passes(0.0, 1.0), 0.6),
    Judge("ratings, a generous judge", _ratings, 0.65),
)


def coverages(replications: int, *, workers: int = 1) -> list[Count]:
    """Count how often the 95 % interval of a corrected mean includes the true mean.

    People label 200 of 400 answers: a random slice of 60, and the 140 answers nearest to the pass mark. The mean is
    corrected by the labels of the slice. For comparison, it is also corrected by 60 of the other 140 labels; the
    product makes no claim about the intervals of this second correction.
    """
    hits: Counter[str] = Counter()
    for counted in spread(_covered, chunks(replications), workers):
        hits.update(counted)
    return [
        Count(f"interval from {name}: {judge.name}", hits[f"{name} {judge.name}"], replications, least=least)
        # The interval by t over 60 answers may miss 1 point of its level, because a rate is not normal.
        for name, least in (("the random slice", 0.94), ("labels near the pass mark", None))
        for judge in JUDGES
    ]


def _covered(task: tuple[int, int]) -> Counter[str]:
    seed, count = task
    random = np.random.default_rng(seed)
    hits: Counter[str] = Counter()
    for at in range(count):
        for judge in JUDGES:
            human, score = judge.draw(random)
            answers = [
                Answer(id_, _TARGET, place, -abs(float(value) - 0.5))
                for place, (id_, value) in enumerate(zip(_IDS, score, strict=True))
            ]
            chosen = choose(singles_of(answers), Wanted(_LABELS, _AUDIT_SHARE, seed + at, True))
            audit = [each.item_id.int - 1000 for each in chosen if each.is_audit]
            by_priority = [each.item_id.int - 1000 for each in chosen if not each.is_audit][: len(audit)]
            hits[f"the random slice {judge.name}"] += _holds(human, score, audit, judge.truth)
            hits[f"labels near the pass mark {judge.name}"] += _holds(human, score, by_priority, judge.truth)
    return hits


def _holds(human: Floats, score: Floats, labelled: list[int], truth: float) -> bool:
    known = set(labelled)
    found = corrected_mean(
        [Labelled(str(at), judge=float(score[at]), human=float(human[at])) for at in labelled],
        [Judged(str(at), float(score[at])) for at in range(_ANSWERS) if at not in known],
    )
    return found is not None and found.low is not None and found.high is not None and found.low <= truth <= found.high


_SKILLS = (0.95, 0.9, 0.6, 0.55, 0.55)
_ITEMS = 100


@dataclass(frozen=True)
class Consensus:
    """The comparison of two methods of consensus: Dawid and Skene's, and majority vote.

    `better` counts the replications in which Dawid and Skene's method has as many right labels as the vote, or more.
    `dawid_skene` and `majority` are the shares of right labels by each method.
    """

    better: Count
    dawid_skene: float
    majority: float


def consensus(replications: int, *, workers: int = 1) -> Consensus:
    """Compare the consensus of Dawid and Skene's method with that of a majority vote, over 100 items. Each of five
    annotators gives 55 to 95 % right labels."""
    total = np.sum(spread(_agreed, chunks(replications), workers), axis=0)
    better = Count("Dawid and Skene is right at least as often as a majority", int(total[0]), replications, least=0.9)
    right = total[1:] / (replications * _ITEMS)
    return Consensus(better, float(right[0]), float(right[1]))


def _agreed(task: tuple[int, int]) -> tuple[int, int, int]:
    seed, count = task
    random = np.random.default_rng(seed)
    better = by_model = by_majority = 0
    people = [UUID(int=1 + at) for at in range(len(_SKILLS))]
    for _ in range(count):
        truth = random.integers(0, 2, _ITEMS)
        right = random.random((_ITEMS, len(_SKILLS))) < np.array(_SKILLS)
        labels = np.where(right, truth[:, None], 1 - truth[:, None]).tolist()
        ratings = {id_: dict(zip(people, row, strict=True)) for id_, row in zip(_IDS, labels, strict=False)}
        known = dict(zip(_IDS, truth.tolist(), strict=False))
        model = sum(each.value == known[id_] for id_, each in dawid_skene(ratings, 2).agreed.items())
        votes = sum(each.value == known[id_] for id_, each in majority(ratings).items())
        better += model >= votes
        by_model += model
        by_majority += votes
    return better, by_model, by_majority
