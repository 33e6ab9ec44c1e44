"""Compute the betting interval of a bounded mean. It is valid for every number of clusters and every distribution.

The interval holds the values m that the following bets do not refute. A gambler starts with capital 1, and bets on one
cluster after another that the mean is not m. If the mean is m, the capital ever reaches 1/α only with probability α or
less (Ville's inequality). So if the gambler reaches 1/α, m is refuted at the level α.

Each bet uses only the variance of the clusters before it (the "predictable plug-in"). A constant seed fixes the order
of the clusters. A cluster counts by its weight: the gambler bets on `sum - m * weight`.

Source: Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting", JRSS-B 86 (2024), section 4.
"""

import math
from typing import TYPE_CHECKING

from orchestrator.comparison.domain.clusters import ClusterSums

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_SEED = 20_261_123
# A bound is found to within 2^-60. With few clusters, 15 points are tried at once: calls of NumPy then cost more than
# their arithmetic.
_BITS = 60
_BITS_AT_ONCE = 4
_FEW = 512
# Below this number of clusters, the largest possible bet is staked.
_FULL_STAKE_BELOW = 10
# The share of the largest possible bet that is staked otherwise. With 1, a single loss would lose everything.
_STAKE = 0.9
# The bets are optimised for this level; the bound is valid at every level.
_TUNED_FOR = 0.05


class Betting:
    """Computes confidence bounds of the mean difference between candidate and baseline by betting (see the module).

    `sums` are the paired differences, summed per cluster. `bounds` are the smallest and the largest value that the
    difference in one case (candidate minus baseline) can have.
    """

    def __init__(self, sums: ClusterSums, bounds: tuple[float, float]) -> None:
        import numpy as np

        self._bounds = bounds
        low, high = bounds
        order = np.random.default_rng(_SEED).permutation(sums.clusters)
        counts = [count for _, _, count in sums.counted]
        totals = np.repeat([total for total, _, _ in sums.counted], counts)[order]
        weights = np.repeat([float(weight) for _, weight, _ in sums.counted], counts)[order]
        largest = float(weights.max())
        # Rescale the values to 0…1, the range that the bets assume.
        self._gains: Floats = np.clip((totals - low * weights) / (high - low) / largest, 0, None)
        self._weights: Floats = weights / largest
        self._bets = _plug_in(self._gains / self._weights)
        self._stake = 1.0 if sums.clusters < _FULL_STAKE_BELOW else _STAKE
        # A gate of one pair asks twice for the same upper bound.
        self._highs: dict[float, float] = {}

    def low(self, alpha: float) -> float:
        """Return the lower bound: the mean lies below it with probability at most `alpha`."""
        return self._scaled(self._bound(self._gains, alpha))

    def high(self, alpha: float) -> float:
        """Return the upper bound: the mean lies above it with probability at most `alpha`."""
        if alpha not in self._highs:
            self._highs[alpha] = self._scaled(1 - self._bound(self._weights - self._gains, alpha))
        return self._highs[alpha]

    def _scaled(self, bound: float) -> float:
        low, high = self._bounds
        return low + bound * (high - low)

    def _bound(self, gains: "Floats", alpha: float) -> float:
        """Return the smallest mean, from 0 to 1, that the gambler's bets (see the module) do not refute at the level
        `alpha`. `gains` are the sums of the clusters, scaled to 0…1."""
        import numpy as np

        log_capital = -math.log(alpha)
        refuted, possible = 0.0, 1.0
        if self._highest_log_capital(gains, np.array([1e-12]))[0] < log_capital:
            return 0.0
        bits = _BITS_AT_ONCE if len(gains) <= _FEW else 1
        shares = np.arange(1, 2**bits) / 2**bits
        for _ in range(_BITS // bits):
            tried = refuted + (possible - refuted) * shares
            at = int(np.count_nonzero(self._highest_log_capital(gains, tried) >= log_capital))
            edges = (refuted, *tried.tolist(), possible)
            refuted, possible = edges[at], edges[at + 1]
        return refuted

    def _highest_log_capital(self, gains: "Floats", means: "Floats") -> "Floats":
        """Return, for each of the assumed `means`, the logarithm of the highest capital that the gambler reaches by
        betting against this mean (see the module)."""
        import numpy as np

        bets = np.minimum(self._bets, (self._stake / means)[:, None])
        growth = np.maximum(bets * (gains - means[:, None] * self._weights), -1.0)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log1p(growth).cumsum(axis=1).max(axis=1))


def _plug_in(values: "Floats") -> "Floats":
    """Return the size of the gambler's bet (see the module) on each cluster: √(2 ln(1/α) / (n σ²)).

    `values` are the means of the clusters, scaled to 0…1, in the order of the bets. n is their number, and α is
    `_TUNED_FOR`.

    σ² is the variance of the earlier values. It is estimated as if one more value had come first, with the mean 1/2 and
    the variance 1/4 (the largest possible), so σ² is never 0.
    """
    import numpy as np

    n = len(values)
    times = np.arange(1, n + 1)
    means = (0.5 + np.cumsum(values)) / (times + 1)
    variances = (0.25 + np.cumsum((values - means) ** 2)) / (times + 1)
    before = np.concatenate(([0.25], variances[:-1]))
    return np.asarray(np.sqrt(2 * math.log(1 / _TUNED_FOR) / (n * before)), dtype=np.float64)
