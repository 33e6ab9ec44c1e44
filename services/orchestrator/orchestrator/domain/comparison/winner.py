"""Name the winner among columns from the verdicts that are shown, or none."""

from collections.abc import Mapping, Sequence

from llmbench.thresholds import tidy
from orchestrator.domain.comparison.verdicts import Judged, Verdict


def leader(means: Sequence[float | None]) -> int | None:
    """The index of the highest mean after rounding; `None` without a mean, or where two are the highest.

    >>> leader([0.2, 0.7, 0.5]), leader([0.7, 0.6999999999999998]), leader([None])
    (1, None, None)
    """
    known = [tidy(mean) for mean in means if mean is not None]
    if not known or known.count(max(known)) > 1:
        return None
    return next(at for at, mean in enumerate(means) if mean is not None and tidy(mean) == max(known))


def comparisons(columns: int, *, baseline: int, leads: int | None) -> list[tuple[int, int]]:
    """The pairs (candidate, baseline) that one call of `verdicts` has to judge: every column against the baseline, and
    the leader against every other one.

    >>> comparisons(3, baseline=0, leads=2)
    [(1, 0), (2, 0), (2, 1)]
    """
    pairs = [(at, baseline) for at in range(columns) if at != baseline]
    if leads is None or leads == baseline:
        return pairs
    return pairs + [(leads, at) for at in range(columns) if at not in (leads, baseline)]


def rivals(leads: int, judged: Mapping[tuple[int, int], Judged]) -> dict[int, Judged]:
    """The columns that the leader is not better than, with the comparison that says so. Without any it is the winner.
    `judged` is keyed as `comparisons` are; a comparison may be kept the other way round."""
    found: dict[int, Judged] = {}
    for (candidate, baseline), one in judged.items():
        if candidate == leads and one.verdict is not Verdict.BETTER:
            found[baseline] = one
        elif baseline == leads and one.verdict is not Verdict.WORSE:
            found[candidate] = one
    return found
