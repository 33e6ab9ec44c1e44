"""Where the mean difference of two columns lies. Verdicts, winners and gates all come from these bounds.

The bounds are those of the bootstrap-t. Below 100 clusters the sign-flip test has to agree, from 100 on the t
test: the wider of both counts.
The bound is that of betting, which holds for every distribution, below 10 clusters, where nothing varies, and where a
bound is infinite or beyond what is possible. Below 100 clusters a sample also counts as one in which nothing varies
when its variance is under three quarters of what a single cluster at the worst difference would bring: twenty cases
that all gain about .1 do not rule out that one case in twenty collapses. Decision 0021 has the figures.
"""

import math
from dataclasses import dataclass
from functools import cached_property

from orchestrator.domain.comparison.betting import Betting
from orchestrator.domain.comparison.clusters import ClusterSums
from orchestrator.domain.comparison.resampling import BootstrapT, PairedT, SignFlip

SCORES = (-1.0, 1.0)
"""Bounds of a difference of scores or passes, which are on 0…1."""
BETTING_BELOW = 10
SIGN_FLIP_BELOW = 100
# Without bounds nothing can be said of what was not seen, but how rare it is: under 5 % of the clusters.
RARE = 0.05
# The least share at which differences of which a few collapse keep 6 % of false alarms, whatever the noise of the rest.
_UNSEEN = 0.75


@dataclass(frozen=True)
class MeanInterval:
    """`low` and `high` are missed with probability `alpha_low` and `alpha_high`. Without bounds of the differences they
    may be infinite: nothing is known, to be shown as null. `method` is "betting", "bootstrap-t, t",
    "bootstrap-t, sign-flip" or "no spread"; where the ends differ in it, the lower's and the upper's, by " / "."""

    mean: float
    low: float
    high: float
    alpha_low: float
    alpha_high: float
    method: str
    clusters: int
    pairs: int


class MeanTest:
    """The bounds of one mean at any level: resamples are drawn once. Swapped columns give mirrored bounds, exactly."""

    def __init__(self, sums: ClusterSums, *, bounds: tuple[float, float] | None = SCORES) -> None:
        if not sums.counted:
            raise ValueError("without a pair there is no interval")
        if bounds is not None and not (bounds[0] < 0 < bounds[1] and bounds[0] == -bounds[1]):
            raise ValueError("the bounds of a difference are symmetric")
        self.sums = sums
        self._bounds = bounds
        mirrored = sums.mirrored
        self._flipped = mirrored.counted < sums.counted
        self._canonical = mirrored if self._flipped else sums

    def interval(self, *, alpha_low: float, alpha_high: float) -> MeanInterval:
        low, method_low = self.low(alpha_low)
        high, method_high = self.high(alpha_high)
        mean = self.sums.mean
        assert mean is not None
        return MeanInterval(
            mean=mean,
            low=min(low, mean),
            high=max(high, mean),
            alpha_low=alpha_low,
            alpha_high=alpha_high,
            method=method_low if method_low == method_high else f"{method_low} / {method_high}",
            clusters=self.sums.clusters,
            pairs=self.sums.pairs,
        )

    def low(self, alpha: float) -> tuple[float, str]:
        """The lower bound at `alpha`, and by which method."""
        if self._flipped:
            bound, method = self._high(alpha)
            return 0.0 - bound, method
        return self._low(alpha)

    def high(self, alpha: float) -> tuple[float, str]:
        """The upper bound at `alpha`, and by which method."""
        if self._flipped:
            bound, method = self._low(alpha)
            return 0.0 - bound, method
        return self._high(alpha)

    def _low(self, alpha: float) -> tuple[float, str]:
        least = -math.inf if self._bounds is None else self._bounds[0]
        if self._resampled is not None and self._varies_enough(least):
            bound = self._resampled.low(alpha)
            if bound > least:
                return max(least, min(bound, self._second.low(alpha))), self._by_both
        if self._betting is not None:
            return self._betting.low(alpha), "betting"
        return self._unbounded(alpha, -math.inf)

    def _high(self, alpha: float) -> tuple[float, str]:
        most = math.inf if self._bounds is None else self._bounds[1]
        if self._resampled is not None and self._varies_enough(most):
            bound = self._resampled.high(alpha)
            if bound < most:
                return min(most, max(bound, self._second.high(alpha))), self._by_both
        if self._betting is not None:
            return self._betting.high(alpha), "betting"
        return self._unbounded(alpha, math.inf)

    def _varies_enough(self, worst: float) -> bool:
        clusters = self._canonical.clusters
        if clusters >= SIGN_FLIP_BELOW or math.isinf(worst):
            return True
        variance, mean = self._canonical.variance, self._canonical.mean
        return variance is not None and mean is not None and variance >= least_variance(clusters, abs(worst - mean))

    def _unbounded(self, alpha: float, unknown: float) -> tuple[float, str]:
        mean = self._canonical.mean
        if self._canonical.spread or mean is None or (1 - RARE) ** self._canonical.clusters > alpha:
            return unknown, "no spread" if not self._canonical.spread else "bootstrap-t"
        return mean, "no spread"

    @cached_property
    def _resampled(self) -> BootstrapT | None:
        few = self._canonical.clusters < BETTING_BELOW
        return None if few or not self._canonical.spread else BootstrapT(self._canonical)

    @cached_property
    def _second(self) -> SignFlip | PairedT:
        """The test that has to agree: bootstrap-t alone is too sure where few clusters differ at all."""
        few = self._canonical.clusters < SIGN_FLIP_BELOW
        return SignFlip(self._canonical) if few else PairedT(self._canonical)

    @property
    def _by_both(self) -> str:
        return "bootstrap-t, sign-flip" if self._canonical.clusters < SIGN_FLIP_BELOW else "bootstrap-t, t"

    @cached_property
    def _betting(self) -> Betting | None:
        return None if self._bounds is None else Betting(self._canonical, self._bounds)


def least_variance(clusters: int, distance: float) -> float:
    """The variance under which fewer than 100 clusters count as not varying; `distance` from mean to worst value."""
    return _UNSEEN * distance**2 / clusters


def mean_interval(
    sums: ClusterSums, *, alpha_low: float, alpha_high: float, bounds: tuple[float, float] | None = SCORES
) -> MeanInterval:
    """The interval of the item-weighted mean difference. `bounds` are those of one pair's difference; `None` for cost
    and latency. Raises `ValueError` without a pair."""
    return MeanTest(sums, bounds=bounds).interval(alpha_low=alpha_low, alpha_high=alpha_high)
