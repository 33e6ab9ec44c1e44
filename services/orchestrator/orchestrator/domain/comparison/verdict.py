"""From paired figures to a verdict in words: better, worse, or not separable."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from orchestrator.domain.comparison.paired import (
    Differences,
    benjamini_hochberg,
    bootstrap_interval,
    holm,
    mcnemar_p,
    variance,
    wilcoxon_p,
)

ALPHA = 0.05
# (z_0.975 + z_0.8)²: to find a difference of this size in four of five attempts.
_POWER = 7.848879734349088

Adjust = Callable[[Sequence[float | None]], list[float | None]]


class Verdict(StrEnum):
    BETTER = "better"
    WORSE = "worse"
    NOT_SEPARABLE = "not separable"


@dataclass(frozen=True)
class Passes:
    """Of the cases that were passed or failed in both columns: `gained` pass only in the candidate,
    `lost` only in the baseline."""

    cases: int
    gained: int
    lost: int


@dataclass(frozen=True)
class ScoreEvidence:
    """`p` of Wilcoxon, as it is and adjusted for all that is compared."""

    differences: Differences
    mean: float | None
    interval: tuple[float, float] | None
    p: float | None
    p_adjusted: float | None
    verdict: Verdict
    cases_needed: int | None


@dataclass(frozen=True)
class PassEvidence:
    """`p` of McNemar, as it is and adjusted for the columns compared (Holm)."""

    passes: Passes
    rate_difference: float | None
    p: float | None
    p_adjusted: float | None
    verdict: Verdict


def judge_scores(compared: Sequence[Differences], *, adjust: Adjust = holm) -> list[ScoreEvidence]:
    """One verdict for each. Interval and test have to agree: the interval alone is too sure of a
    handful of cases, the test alone says nothing of the size."""
    p_values = [wilcoxon_p(differences) for differences in compared]
    found = []
    for differences, p, adjusted in zip(compared, p_values, adjust(p_values), strict=True):
        interval = bootstrap_interval(differences)
        verdict = Verdict.NOT_SEPARABLE
        mean = differences.mean
        if mean is not None and adjusted is not None and adjusted < ALPHA:
            # Without an interval every case differs by the same: the test has said so.
            low, high = interval or (mean, mean)
            verdict = Verdict.BETTER if low > 0 else Verdict.WORSE if high < 0 else verdict
        needed = _cases_needed(differences) if verdict is Verdict.NOT_SEPARABLE else None
        found.append(ScoreEvidence(differences, mean, interval, p, adjusted, verdict, needed))
    return found


def judge_metrics(compared: Sequence[tuple[Differences, bool]]) -> list[ScoreEvidence]:
    """Several metrics, each with whether it gates: by one of those no difference may be found that is none, of the
    others few."""
    gating = iter(judge_scores([differences for differences, gates in compared if gates]))
    others = [differences for differences, gates in compared if not gates]
    informing = iter(judge_scores(others, adjust=benjamini_hochberg))
    return [next(gating if gates else informing) for _, gates in compared]


def judge_passes(columns: Sequence[Passes]) -> list[PassEvidence]:
    """One verdict per column."""
    p_values = [mcnemar_p(passes.gained, passes.lost) for passes in columns]
    found = []
    for passes, p, adjusted in zip(columns, p_values, holm(p_values), strict=True):
        verdict = Verdict.NOT_SEPARABLE
        if adjusted is not None and adjusted < ALPHA:
            verdict = Verdict.BETTER if passes.gained > passes.lost else Verdict.WORSE
        rate = (passes.gained - passes.lost) / passes.cases if passes.cases else None
        found.append(PassEvidence(passes, rate, p, adjusted, verdict))
    return found


def regressed(verdict: Verdict, mean: float | None, *, margin: float) -> bool:
    """Worse, not by chance, and by more than the margin."""
    return verdict is Verdict.WORSE and mean is not None and mean < -margin


def _cases_needed(differences: Differences) -> int | None:
    """How many cases would tell a difference of this size from none; `None` where there is none to tell."""
    spread = variance(differences)
    if not differences.mean or not spread:
        return None
    return max(math.ceil(_POWER * spread / differences.mean**2), differences.cases + 1)
