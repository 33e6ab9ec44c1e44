"""Compute the confidence interval of the mean difference of two columns (targets of runs). Every verdict, winner and
gate is derived from it.

Each bound is the wider one of two bounds: that of the bootstrap-t, and that of a second test. The second test is the
sign-flip test below 100 clusters, and the t test from 100 clusters on.

The betting bound (see betting.py) is valid for every distribution. It replaces both methods in three cases: below 10
clusters, if all clusters are equal, and if a bound is infinite or outside the possible differences.

Below 100 clusters, the betting bound is also used if the sample has too little variance. Let d be the distance from the
mean to the worst possible difference. A single cluster at this distance gives n clusters, which are equal otherwise,
the variance d²/n. The limit is three quarters of that. For example, twenty cases that all gain about .1 do not rule out
that one case in twenty collapses. Decision 0021 has the measurements.

Differences of cost and latency have no bounds, so there is no betting bound for them. A bound that cannot be computed
is then infinite.
"""

import math
from dataclasses import dataclass
from functools import cached_property

from orchestrator.comparison.domain.betting import Betting
from orchestrator.comparison.domain.clusters import ClusterSums
from orchestrator.comparison.domain.resampling import BootstrapT, PairedT, SignFlip

SCORES = (-1.0, 1.0)
"""The bounds of a difference of two scores or two pass rates, which are from 0 to 1."""
BETTING_BELOW = 10
SIGN_FLIP_BELOW = 100
# If differences have no bounds, equal differences in the sample say nothing about the size of unobserved ones. They
# only show that those are rare: under 5 % of clusters.
RARE = 0.05
# The factor of `least_variance`. It is the smallest factor that keeps false alarms at 6 % or less when a few
# differences collapse, for any noise of the other differences.
_UNSEEN = 0.75


@dataclass(frozen=True)
class MeanInterval:
    """A confidence interval of a mean difference.

    The true mean lies below `low` with probability at most `alpha_low`, and above `high` with probability at most
    `alpha_high`. Differences of cost and latency can be arbitrarily large. An end of their interval may be infinite,
    which means that it is unknown; the API then shows null instead of the interval.

    `method` says how the ends were computed. If they have different methods, ` / ` stands between the two.

    - `bootstrap-t, sign-flip` and `bootstrap-t, t`: by two methods. The wider bound counts.
    - `betting`: the betting bound.
    - `no spread`: all clusters are equal. Only for cost and latency.
    - `bootstrap-t`: the clusters differ, but the end is infinite. Only for cost and latency.
    """

    mean: float
    low: float
    high: float
    alpha_low: float
    alpha_high: float
    method: str
    clusters: int
    pairs: int


class MeanTest:
    """Compute the bounds of one mean difference at any level.

    Random resamples are drawn once and reused. If candidate and baseline are exchanged, the bounds are exactly
    mirrored. The argument `bounds` has the smallest and the largest possible difference in a case. Raises `ValueError`
    without a pair, and if `bounds` are not symmetric around 0.
    """

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
        """Return the lower bound and its method. The mean lies below the bound with probability at most `alpha`."""
        if self._flipped:
            bound, method = self._high(alpha)
            return 0.0 - bound, method
        return self._low(alpha)

    def high(self, alpha: float) -> tuple[float, str]:
        """Return the upper bound and its method. The mean lies above the bound with probability at most `alpha`."""
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
        if self._canonical.has_spread or mean is None or (1 - RARE) ** self._canonical.clusters > alpha:
            return unknown, "no spread" if not self._canonical.has_spread else "bootstrap-t"
        return mean, "no spread"

    @cached_property
    def _resampled(self) -> BootstrapT | None:
        few = self._canonical.clusters < BETTING_BELOW
        return None if few or not self._canonical.has_spread else BootstrapT(self._canonical)

    @cached_property
    def _second(self) -> SignFlip | PairedT:
        """Return the second test, whose bounds are combined with those of the bootstrap-t. The bootstrap-t alone is
        overconfident if only few clusters have a difference."""
        few = self._canonical.clusters < SIGN_FLIP_BELOW
        return SignFlip(self._canonical) if few else PairedT(self._canonical)

    @property
    def _by_both(self) -> str:
        return "bootstrap-t, sign-flip" if self._canonical.clusters < SIGN_FLIP_BELOW else "bootstrap-t, t"

    @cached_property
    def _betting(self) -> Betting | None:
        return None if self._bounds is None else Betting(self._canonical, self._bounds)


def least_variance(clusters: int, distance: float) -> float:
    """Return the variance below which a sample of fewer than 100 clusters gets the betting bound (see the module).
    `distance` is the distance from the mean to the worst possible difference."""
    return _UNSEEN * distance**2 / clusters


def mean_interval(
    sums: ClusterSums, *, alpha_low: float, alpha_high: float, bounds: tuple[float, float] | None = SCORES
) -> MeanInterval:
    """Return the confidence interval of the mean difference over all pairs.

    The true mean lies below the interval with probability at most `alpha_low`, and above it with probability at most
    `alpha_high`. `bounds` are the smallest and the largest possible difference in a case, and `None` for cost and
    latency. Raises `ValueError` without a pair.
    """
    return MeanTest(sums, bounds=bounds).interval(alpha_low=alpha_low, alpha_high=alpha_high)
