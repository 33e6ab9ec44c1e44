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
    ranked = [
        (target, target.interval) for target in best_first(targets) if target.mean is not None and target.interval
    ]
    thin = [target for target in targets if target.scored < ENOUGH * target.items]
    if thin:
        have = "has" if len(thin) == 1 else "have"
        targets_of = f"{len(thin)} {'target' if len(thin) == 1 else 'targets'} of {len(targets)}"
        return f"Cannot be said: {targets_of} {have} scores for less than 90% of the items."
    if len(ranked) < 2:
        return "Cannot be said: there are too few scores for an interval."
    (best, (low, _)), *others = ranked
    level = [target for target, (_, high) in others if high >= low]
    if not level:
        return f"{best.label} scores highest, and its interval overlaps with no other."
    whose = f"that of {level[0].label}" if len(level) == 1 else f"those of {len(level)} others"
    return f"Not separable: the interval of {best.label} overlaps with {whose}. A pairwise comparison may still decide."
