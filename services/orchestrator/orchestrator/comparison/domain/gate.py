"""Decide a gate: one metric of a candidate against a baseline, with a margin for an acceptable loss.

Let [low, high] be the interval of candidate - baseline, or of baseline - candidate for cost and latency, so that a loss
is always negative. The gate is *fine* when low is above -margin, *worse* when high is below -margin, and *undecided*
otherwise. With too few scored cases it has low coverage instead. With several pairs, the gate is *fine* only if every
pair is, each tested with 95 % confidence. For *worse* the confidence is greater: the error probability of 5 % is
divided by the number of pairs. A false alarm among all pairs is then as rare as with one pair.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from orchestrator.comparison.domain.coverage import GatePair
from orchestrator.comparison.domain.interval import SCORES, MeanInterval, MeanTest
from orchestrator.comparison.domain.planning import ALPHA, needed_clusters


class GateState(StrEnum):
    FINE = "fine"
    WORSE = "worse"
    UNDECIDED = "undecided"
    LOW_COVERAGE = "low coverage"


@dataclass(frozen=True)
class GatePairResult:
    """The result of one pair of a gate.

    `lower_than_baseline` is true if the pair is undecided, but the candidate is certainly worse than the baseline,
    though perhaps by less than the margin. For cost and latency that means a higher value.

    `interval` is the two-sided 90 % interval of the mean difference. It is `None` without a scored case. `high_worse`
    is a second upper bound of this difference, corrected for the number of pairs. If it is below -margin, the pair is
    *worse*.

    The last two fields are `None` unless the pair is undecided:

    - `clusters_needed`: with this number of clusters and the present mean difference, the pair would be fine with
      probability 0.8. It is also `None` if no number suffices or the variance is unknown.
    - `margin_needed`: with this margin, rounded up to 0.001, the pair would be fine now. It is also `None` if the
      margin would be 1 or more.
    """

    state: GateState
    lower_than_baseline: bool
    coverage: float
    interval: MeanInterval | None
    high_worse: float | None
    clusters_needed: int | None
    margin_needed: float | None


@dataclass(frozen=True)
class GateResult:
    """The combined result of all pairs of a gate. A pair is a column (a target of a run) with the baseline column that
    it is compared with.

    `state` is worse if any pair is worse, else low coverage if any pair has it, else undecided if any pair is
    undecided, else fine. `lower_than_baseline` is true if the candidate of at least one undecided pair is certainly
    worse than its baseline, though perhaps by less than the margin. A caller that accepts undecided gates should still
    reject a gate with `lower_than_baseline`.
    """

    state: GateState
    lower_than_baseline: bool
    margin: float
    pairs: tuple[GatePairResult, ...]


def decide_gate(
    pairs: Sequence[GatePair],
    *,
    margin: float,
    bounds: tuple[float, float] | None = SCORES,
    family: int | None = None,
) -> GateResult:
    """Decide a gate over all its pairs.

    `family` is the number of all pairs that are decided together, including those of other gates; by default it is the
    length of `pairs`.

    `bounds` are the smallest and the largest possible difference in a case. They are `None` for cost and latency, whose
    margin is a share of the baseline. As less is better there, the caller has to pass mirrored sums (see
    `ClusterSums.mirrored`).

    Raises `ValueError` without a pair, or for a margin that is not above 0.
    """
    if not pairs:
        raise ValueError("a gate has at least one pair")
    if not (margin > 0 and math.isfinite(margin)):
        raise ValueError("a margin is above 0")
    together = max(len(pairs), family or 0)
    results = tuple(_decide(pair, margin=margin, pairs=together, bounds=bounds) for pair in pairs)
    states = {result.state for result in results}
    order = (GateState.WORSE, GateState.LOW_COVERAGE, GateState.UNDECIDED, GateState.FINE)
    return GateResult(
        state=next(state for state in order if state in states),
        lower_than_baseline=any(result.lower_than_baseline for result in results),
        margin=margin,
        pairs=results,
    )


def _decide(pair: GatePair, *, margin: float, pairs: int, bounds: tuple[float, float] | None) -> GatePairResult:
    if not pair.sums.counted:
        return GatePairResult(GateState.LOW_COVERAGE, False, pair.coverage, None, None, None, None)
    test = MeanTest(pair.sums, bounds=bounds)
    interval = test.interval(alpha_low=ALPHA, alpha_high=ALPHA)
    high_worse, _ = test.high(ALPHA / pairs)
    state = GateState.UNDECIDED
    if not pair.covered:
        state = GateState.LOW_COVERAGE
    elif interval.low > -margin:
        state = GateState.FINE
    elif high_worse < -margin:
        state = GateState.WORSE
    undecided = state is GateState.UNDECIDED
    return GatePairResult(
        state=state,
        lower_than_baseline=undecided and interval.high < 0,
        coverage=pair.coverage,
        interval=interval,
        high_worse=high_worse,
        clusters_needed=_clusters_needed(pair, margin, bounded=bounds is not None) if undecided else None,
        margin_needed=_margin_needed(interval.low) if undecided else None,
    )


def _clusters_needed(pair: GatePair, margin: float, *, bounded: bool) -> int | None:
    mean, variance = pair.sums.mean, pair.sums.variance
    if mean is None or variance is None:
        return None
    needed = needed_clusters(margin=margin, variance=variance, effect=mean, bounded=bounded)
    return None if needed is None else max(needed, pair.sums.clusters + 1)


def _margin_needed(low: float) -> float | None:
    """Return the smallest margin with which a pair would have the state *fine*, rounded up to 0.001. `low` is the lower
    bound of the pair's interval. Return `None` if the margin would be 1 or more."""
    if not math.isfinite(low):
        return None
    needed = (math.floor(round(-low * 1_000, 6)) + 1) / 1_000
    return needed if needed < 1 else None
