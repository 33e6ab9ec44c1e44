"""Bounds from the clusters at hand: the bootstrap-t interval and the sign-flip test turned into an interval.

Bootstrap-t: Efron and Tibshirani, "An Introduction to the Bootstrap" (1993), chapter 12. A resample without spread
has no finite t: it counts as infinite, and with enough of them so is the bound. Sign-flip: Fisher (1935); its bounds
are quantiles of the means of random subsets (Hartigan, JASA 64, 1969). The same clusters always give the same bounds.
"""

import math
from typing import TYPE_CHECKING

from orchestrator.domain.comparison.clusters import ClusterSums

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_SEED = 20_261_121
_RESAMPLES = 9_999
_FEWEST_RESAMPLES = 1_999
_DRAWS = 50_000_000
_DRAWS_AT_ONCE = 1_000_000
# A resample is drawn by how often each row occurs where that is cheaper than cluster by cluster.
_PRICE_OF_A_COUNT = 8
# A resample whose standard error is under a millionth of the sample's has no spread but rounding.
_NO_SPREAD = 1e-6
_ALL_SUBSETS_UP_TO = 13


class BootstrapT:
    """Studentised bootstrap of the item-weighted mean; needs two clusters that differ."""

    def __init__(self, sums: ClusterSums) -> None:
        import numpy as np

        totals, weights, counts = _columns(sums)
        clusters = sums.clusters
        self._mean = float(totals @ counts) / float(weights @ counts)
        residuals = totals - self._mean * weights
        self._error = _standard_errors(
            clusters, *(np.asarray(column @ counts) for column in _products(residuals, weights)), mean=np.asarray(0.0)
        )
        self._t = np.sort(self._resampled(residuals, weights, counts, clusters))

    def low(self, alpha: float) -> float:
        """-inf where too many resamples have no spread, or `alpha` is too small for the number of resamples."""
        rank = math.floor(alpha * (len(self._t) + 1) + 1e-9)
        return self._mean - float(self._t[-rank]) * float(self._error) if rank else -math.inf

    def high(self, alpha: float) -> float:
        rank = math.floor(alpha * (len(self._t) + 1) + 1e-9)
        return self._mean - float(self._t[rank - 1]) * float(self._error) if rank else math.inf

    def _resampled(
        self, residuals: "Floats", weights: "Floats", counts: "NDArray[np.int64]", clusters: int
    ) -> "Floats":
        import numpy as np

        random = np.random.default_rng(_SEED)
        columns = _products(residuals, weights)
        resamples = max(_FEWEST_RESAMPLES, min(_RESAMPLES, _DRAWS // clusters))
        found = []
        if len(residuals) * _PRICE_OF_A_COUNT < clusters:
            at_once = max(1, _DRAWS_AT_ONCE // len(residuals))
            for done in range(0, resamples, at_once):
                drawn = random.multinomial(clusters, counts / clusters, size=min(at_once, resamples - done))
                found.append(self._t_of(clusters, [drawn @ column for column in columns]))
        else:
            listed = [np.repeat(column, counts) for column in columns]
            at_once = max(1, _DRAWS_AT_ONCE // clusters)
            for done in range(0, resamples, at_once):
                drawn = random.integers(clusters, size=(min(at_once, resamples - done), clusters), dtype=np.int32)
                found.append(self._t_of(clusters, [column[drawn].sum(axis=1) for column in listed]))
        return np.concatenate(found)

    def _t_of(self, clusters: int, sums: "list[Floats]") -> "Floats":
        import numpy as np

        shift = sums[0] / sums[1]
        errors = _standard_errors(clusters, *sums, mean=shift)
        spread = errors > _NO_SPREAD * self._error
        infinite = np.where(shift < 0, -np.inf, np.inf)
        return np.where(spread, shift / np.where(spread, errors, 1), infinite)


class SignFlip:
    """Bounds at which the one-sided sign-flip test of the item-weighted mean no longer rejects."""

    def __init__(self, sums: ClusterSums) -> None:
        import numpy as np

        totals, weights, counts = _columns(sums)
        clusters = sums.clusters
        totals, weights = np.repeat(totals, counts), np.repeat(weights, counts)
        if clusters <= _ALL_SUBSETS_UP_TO:
            subsets = (np.arange(1, 2**clusters)[:, None] >> np.arange(clusters)) & 1
        else:
            subsets = np.random.default_rng(_SEED).integers(2, size=(_RESAMPLES, clusters), dtype=np.int8)
            subsets = subsets[subsets.any(axis=1)]
        self._means = np.sort((subsets @ totals) / (subsets @ weights))

    def low(self, alpha: float) -> float:
        rank = math.floor(alpha * (len(self._means) + 1) + 1e-9)
        return float(self._means[rank - 1]) if rank else -math.inf

    def high(self, alpha: float) -> float:
        rank = math.floor(alpha * (len(self._means) + 1) + 1e-9)
        return float(self._means[-rank]) if rank else math.inf


def _products(residuals: "Floats", weights: "Floats") -> "list[Floats]":
    return [residuals, weights, residuals * residuals, residuals * weights, weights * weights]


def _standard_errors(  # of the ratio estimator, by its sums over clusters
    clusters: int, _: "Floats", weight: "Floats", rr: "Floats", rw: "Floats", ww: "Floats", *, mean: "Floats"
) -> "Floats":
    import numpy as np

    squares = np.maximum(rr - 2 * mean * rw + mean * mean * ww, 0)
    return np.asarray(np.sqrt(clusters / (clusters - 1) * squares) / weight)


def _columns(sums: ClusterSums) -> "tuple[Floats, Floats, NDArray[np.int64]]":
    import numpy as np

    totals = np.array([total for total, _, _ in sums.counted], dtype=np.float64)
    weights = np.array([weight for _, weight, _ in sums.counted], dtype=np.float64)
    return totals, weights, np.array([count for _, _, count in sums.counted], dtype=np.int64)
