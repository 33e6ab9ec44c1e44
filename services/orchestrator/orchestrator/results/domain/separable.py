"""Say which target of a run is best, and whether that is certain.

The run's page computes the same sentence in `web/src/features/runs/results/separable.ts`.
`web/src/testing/rankings.json` has examples that test both implementations.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

ENOUGH: Final = 0.9
"""The least share of a target's items that must have a score before a claim is made. With fewer scores, the items
without a score may be the ones that differ."""


@dataclass(frozen=True)
class Ranked:
    """The mean score of a target (0…1) over `scored` of its `items`, with its 95 % interval; `None` where it is
    unknown."""

    label: str
    items: int
    scored: int
    mean: float | None
    interval: tuple[float, float] | None


def best_first(targets: Sequence[Ranked]) -> list[Ranked]:
    """Return the targets from the highest mean to the lowest; those without a mean come last."""
    return sorted(targets, key=lambda target: (target.mean is None, -(target.mean or 0.0)))


def ranking_sentence(targets: Sequence[Ranked]) -> str:
    """Return the sentence about the best target and how certain it is. If intervals overlap, only a
    paired comparison may decide which target is better."""
    if len(targets) < 2:
        return "One target: there is nothing to compare it with in this run."
    known = [target for target in best_first(targets) if target.mean is not None]
    ranked = [(target, target.interval) for target in known if target.interval]
    thin = [target for target in targets if target.scored < ENOUGH * target.items]
    if thin:
        have = "has" if len(thin) == 1 else "have"
        targets_of = f"{len(thin)} {'target' if len(thin) == 1 else 'targets'} of {len(targets)}"
        return f"Cannot be said: {targets_of} {have} scores for less than 90% of the items."
    if len(known) < 2:
        return "Cannot be said: fewer than two targets have scores."
    if len(ranked) < len(known):
        return f"Cannot be said: {_without_interval(known)}. A pairwise comparison may still decide."
    (best, (low, _)), *others = ranked
    level = [target for target, (_, high) in others if high >= low]
    if not level:
        return f"{best.label} scores highest, and its interval overlaps with no other."
    whose = f"that of {level[0].label}" if len(level) == 1 else f"those of {len(level)} others"
    return f"Not separable: the interval of {best.label} overlaps with {whose}. A pairwise comparison may still decide."


def _without_interval(targets: Sequence[Ranked]) -> str:
    """Return words for the targets whose mean has no interval. Such a target may be the best one: for instance, if all
    its answers are right, its scores have no spread."""
    lacking = [target.label for target in targets if target.interval is None]
    if len(lacking) == 1:
        return f"{lacking[0]} has no interval, because its scores are all the same, or of one cluster"
    return (
        f"{len(lacking)} targets of {len(targets)} have no interval, because their scores are all the same, or of one "
        "cluster"
    )
