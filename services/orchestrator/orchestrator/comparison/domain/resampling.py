"""Compute the bounds of a mean difference over clusters: by the bootstrap-t interval, the sign-flip test and the t
test.

Bootstrap-t: Efron and Tibshirani, "An Introduction to the Bootstrap" (1993), chapter 12. A resample without spread has
no finite t. Its t counts as infinite; if enough resamples are infinite, so is the bound.

Sign-flip: Fisher (1935); its bounds are quantiles of the means of random subsets (Hartigan, JASA 64, 1969). The same
clusters always give the same bounds.
"""

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from orchestrator.comparison.domain.clusters import ClusterSums

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_SEED = 20_261_121
_RESAMPLES = 9_999
_DRAWS_AT_ONCE = 1_000_000
# Equal clusters can be drawn one by one, or by one random number that says how often any of them occurs. This is the
# cost of the second way, relative to drawing one cluster; the cheaper way is used.
_PRICE_OF_A_COUNT = 8
# If there are more clusters than this, they are merged at random into groups, which are then drawn like clusters.
_MOST_DRAWN = 4_096
# Up to this number of clusters, the random draws are cached for the next interval with the same number of clusters.
_FEW = 256
# A resample's spread below this share of the sample's standard error is only rounding error.
_NO_SPREAD = 1e-6
_ALL_SUBSETS_UP_TO = 13


class BootstrapT:
    """The studentised bootstrap of the mean over pairs (see `ClusterSums.mean`). At least two clusters have to
    have different values."""

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
        """Return the lower bound. It is -inf if too many resamples have no spread, or if `alpha` is too small for the
        number of resamples."""
        rank = math.floor(alpha * (len(self._t) + 1) + 1e-9)
        return self._mean - float(self._t[-rank]) * float(self._error) if rank else -math.inf

    def high(self, alpha: float) -> float:
        rank = math.floor(alpha * (len(self._t) + 1) + 1e-9)
        return self._mean - float(self._t[rank - 1]) * float(self._error) if rank else math.inf

    def _resampled(
        self, residuals: "Floats", weights: "Floats", counts: "NDArray[np.int64]", clusters: int
    ) -> "Floats":
        import numpy as np

        columns = np.stack(_products(residuals, weights))
        if len(residuals) == 2 or len(residuals) * _PRICE_OF_A_COUNT < clusters:
            drawn = _multinomial(counts, clusters)
        elif clusters <= _FEW:
            columns = np.repeat(columns, counts, axis=1)
            drawn = _kept_counts(clusters)
        else:
            listed = np.repeat(columns[:2], counts, axis=1)
            if clusters > _MOST_DRAWN:
                listed = _merged_at_random(listed, _MOST_DRAWN)
                clusters = _MOST_DRAWN
            columns = np.stack(_products(listed[0], listed[1]))
            return np.concatenate([self._t_of(clusters, sums) for sums in _drawn(columns, clusters)])
        return np.concatenate([self._t_of(clusters, columns @ counted.T) for counted in drawn])

    def _t_of(self, clusters: int, sums: "Floats") -> "Floats":
        import numpy as np

        shift = sums[0] / sums[1]
        errors = _standard_errors(clusters, *sums, mean=shift)
        spread = errors > _NO_SPREAD * self._error
        infinite = np.where(shift < 0, -np.inf, np.inf)
        return np.where(spread, shift / np.where(spread, errors, 1), infinite)


class SignFlip:
    """The bounds beyond which the one-sided sign-flip test rejects a mean over pairs (see `ClusterSums.mean`)."""

    def __init__(self, sums: ClusterSums) -> None:
        import numpy as np

        totals, weights, counts = _columns(sums)
        clusters = sums.clusters
        totals, weights = np.repeat(totals, counts), np.repeat(weights, counts)
        sums_of_subsets = _subsets(clusters).astype(np.float64) @ np.stack((totals, weights), axis=1)
        self._means = np.sort(sums_of_subsets[:, 0] / sums_of_subsets[:, 1])

    def low(self, alpha: float) -> float:
        rank = math.floor(alpha * (len(self._means) + 1) + 1e-9)
        return float(self._means[rank - 1]) if rank else -math.inf

    def high(self, alpha: float) -> float:
        rank = math.floor(alpha * (len(self._means) + 1) + 1e-9)
        return float(self._means[-rank]) if rank else math.inf


def _multinomial(counts: "NDArray[np.int64]", clusters: int) -> "Iterator[Floats]":
    import numpy as np

    if len(counts) == 2:
        yield _evenly(counts, clusters)
        return
    random = np.random.default_rng(_SEED)
    at_once = max(1, _DRAWS_AT_ONCE // len(counts))
    for done in range(0, _RESAMPLES, at_once):
        drawn = random.multinomial(clusters, counts / clusters, size=min(at_once, _RESAMPLES - done))
        yield drawn.astype(np.float64)


def _evenly(counts: "NDArray[np.int64]", clusters: int) -> "Floats":
    """Return the resamples of clusters of two kinds, one row per resample: how many of its clusters are of the first
    kind, and how many of the second. `counts` has the numbers of the sample's clusters of each kind. Evenly spaced
    quantiles of the binomial distribution replace random numbers."""
    import numpy as np
    from scipy.special import bdtr

    up_to = bdtr(np.arange(clusters), clusters, counts[0] / clusters)
    first = np.searchsorted(up_to, (np.arange(_RESAMPLES) + 0.5) / _RESAMPLES)
    return np.stack((first, clusters - first), axis=1).astype(np.float64)


@lru_cache(maxsize=2)
def _counts(clusters: int) -> "NDArray[np.uint8]":
    """Return how often each cluster occurs in each resample, one row per resample."""
    import numpy as np

    drawn = np.random.default_rng(_SEED).integers(clusters, size=(_RESAMPLES, clusters))
    drawn += np.arange(_RESAMPLES)[:, None] * clusters
    counted = np.bincount(drawn.ravel(), minlength=_RESAMPLES * clusters)
    return counted.reshape(_RESAMPLES, clusters).astype(np.uint8)


def _kept_counts(clusters: int) -> "Iterator[Floats]":
    import numpy as np

    yield _counts(clusters).astype(np.float64)


@lru_cache(maxsize=2)
def _subsets(clusters: int) -> "NDArray[np.int8]":
    """Return all non-empty subsets of the clusters, or a random selection if there are too many."""
    import numpy as np

    if clusters <= _ALL_SUBSETS_UP_TO:
        return ((np.arange(1, 2**clusters)[:, None] >> np.arange(clusters)) & 1).astype(np.int8)
    drawn = np.random.default_rng(_SEED).integers(2, size=(_RESAMPLES, clusters), dtype=np.int8)
    return drawn[drawn.any(axis=1)]


def _merged_at_random(columns: "Floats", groups: int) -> "Floats":
    import numpy as np

    mixed = columns[:, np.random.default_rng(_SEED).permutation(columns.shape[1])]
    return np.asarray(
        np.add.reduceat(mixed, np.linspace(0, columns.shape[1], groups, endpoint=False, dtype=np.int64), axis=1)
    )


def _drawn(columns: "Floats", clusters: int) -> "Iterator[Floats]":
    """Yield the sums of resamples in batches. Each resample draws `clusters` clusters with replacement. `columns` are
    the arrays that are summed (see `_products`), with one value per cluster."""
    import numpy as np

    random = np.random.default_rng(_SEED)
    equal_weights = bool((columns[1] == columns[1, 0]).all())
    at_once = max(1, _DRAWS_AT_ONCE // clusters)
    for done in range(0, _RESAMPLES, at_once):
        at = random.integers(clusters, size=(min(at_once, _RESAMPLES - done), clusters), dtype=np.uint16)
        if equal_weights:
            residuals, weight = columns[0].take(at), columns[1, 0]
            total = residuals.sum(axis=1)
            weights = np.full(len(total), clusters * weight)
            squares = np.einsum("ij,ij->i", residuals, residuals)
            yield np.stack((total, weights, squares, total * weight, weights * weight))
        else:
            yield np.stack([column.take(at).sum(axis=1) for column in columns])


class PairedT:
    """The one-sample t interval of the mean over all pairs (`ClusterSums.mean`). Its standard error counts each cluster
    as one observation. With many clusters, its bounds are close to those of the sign-flip test. It needs at least two
    clusters."""

    def __init__(self, sums: ClusterSums) -> None:
        mean, variance = sums.mean, sums.variance
        assert mean is not None
        assert variance is not None
        self._mean, self._df = mean, sums.clusters - 1
        self._error = math.sqrt(variance / sums.clusters)

    def low(self, alpha: float) -> float:
        return self._mean - self._half(alpha)

    def high(self, alpha: float) -> float:
        return self._mean + self._half(alpha)

    def _half(self, alpha: float) -> float:
        from scipy.special import stdtrit

        return float(stdtrit(self._df, 1 - alpha)) * self._error


def _products(residuals: "Floats", weights: "Floats") -> "list[Floats]":
    return [residuals, weights, residuals * residuals, residuals * weights, weights * weights]


def _standard_errors(  # the mean is a ratio of two sums over clusters
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
