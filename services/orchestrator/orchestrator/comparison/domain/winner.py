"""Find the winner among columns (targets of runs), if there is one, from the verdicts that the user sees."""

from collections.abc import Mapping, Sequence

from llmbench.thresholds import tidy
from orchestrator.comparison.domain.verdicts import Judged, Verdict


def leader(means: Sequence[float | None]) -> int | None:
    """Return the index of the column (a target of a run) with the highest mean. Return `None` without a mean, or if
    several columns share the highest mean (after rounding).

    >>> leader([0.2, 0.7, 0.5]), leader([0.7, 0.6999999999999998]), leader([None])
    (1, None, None)
    """
    known = [tidy(mean) for mean in means if mean is not None]
    if not known or known.count(max(known)) > 1:
        return None
    return next(at for at, mean in enumerate(means) if mean is not None and tidy(mean) == max(known))


def comparisons(columns: int, *, baseline: int, leads: int | None) -> list[tuple[int, int]]:
    """Return the pairs (candidate, baseline) of columns that one call of `verdicts` has to decide.

    `columns` is the number of columns, and `leads` the index of the leader: the column with the highest mean. Every
    column is compared with the baseline, and the leader with every other column.

    >>> comparisons(3, baseline=0, leads=2)
    [(1, 0), (2, 0), (2, 1)]
    """
    pairs = [(at, baseline) for at in range(columns) if at != baseline]
    if leads is None or leads == baseline:
        return pairs
    return pairs + [(leads, at) for at in range(columns) if at not in (leads, baseline)]


def rivals(leads: int, judged: Mapping[tuple[int, int], Judged]) -> dict[int, Judged]:
    """Return the columns (targets of runs) that the leader (the column with the index `leads`) does not beat, each with
    its comparison. The leader is the winner if the result is empty.

    `judged` is keyed by (candidate, baseline); a comparison may be stored in the opposite direction.
    """
    unbeaten: dict[int, Judged] = {}
    for (candidate, baseline), comparison in judged.items():
        if candidate == leads and comparison.verdict is not Verdict.BETTER:
            unbeaten[baseline] = comparison
        elif baseline == leads and comparison.verdict is not Verdict.WORSE:
            unbeaten[candidate] = comparison
    return unbeaten
