"""Turn scores with intervals into rank sets: the ranks that each of them may have."""

from collections.abc import Sequence

Bounds = tuple[float, float]


def rank_sets(intervals: Sequence[Bounds | None]) -> list[tuple[int, int]]:
    """Return the best and the worst possible rank of each score. Rank 1 is the best.

    Two scores are separated if their intervals do not overlap; a score without an interval is separated from no score.
    The best rank of a score is one more than the number of scores that are separated above it. The worst rank is the
    number of all scores minus the number of scores that are separated below it.

    The first score is separated from the next two, which overlap. The last score has no interval:

    >>> rank_sets([(0.8, 0.9), (0.6, 0.7), (0.65, 0.75), None])
    [(1, 2), (2, 4), (2, 4), (1, 4)]
    """
    sets = []
    for at, own in enumerate(intervals):
        others = [each for place, each in enumerate(intervals) if place != at]
        above = sum(1 for each in others if own is not None and each is not None and each[0] > own[1])
        below = sum(1 for each in others if own is not None and each is not None and each[1] < own[0])
        sets.append((1 + above, len(intervals) - below))
    return sets
