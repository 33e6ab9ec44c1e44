"""Sum the differences between two columns per cluster. The difference in a case is the candidate's value minus the
baseline's. Every interval, verdict and gate of a comparison is computed from these sums.

The answers of a cluster depend on each other. They belong to one document, one conversation, one case with its epochs,
or one value of a metadata key. Few distinct differences occur even in a large run, so equal clusters are counted
instead of listed.
"""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

# Sums are rounded, so that equal differences compare equal: in floats, 0.72 - 0.7 is not 0.02.
DIGITS = 9


@dataclass(frozen=True)
class ClusterSums:
    """Paired differences, summed per cluster. A pair is the candidate's and the baseline's value in the same case; its
    difference is candidate minus baseline.

    `counted` holds triples: sum of the cluster's differences, its weight, and how many clusters have exactly these
    values. The weight is the cluster's number of pairs. For relative differences (cost, latency) the weight is the sum
    of the baseline's values instead. The mean is then Σ(candidate - baseline) / Σ baseline, a share of the baseline.
    """

    counted: tuple[tuple[float, float, int], ...]

    @classmethod
    def tally(cls, rows: Iterable[tuple[float, float, int]]) -> "ClusterSums":
        """Build sums from rows like those of `counted`: sum of differences, weight, number of clusters. Round sums and
        weights to 1e-9 and merge equal rows.

        Rows whose weight or number is 0 are dropped. Pass costs in micro-dollars, because amounts below 1e-9 are
        rounded to 0. In the example, 0.1 + 0.2 differs from 0.3 by a rounding error, so their rows are merged.

        >>> ClusterSums.tally([(0.1 + 0.2, 1, 2), (0.3, 1, 1), (-0.0, 1, 1)]).counted
        ((0.0, 1, 1), (0.3, 1, 3))
        """
        clusters: Counter[tuple[float, float]] = Counter()
        for total, weight, count in rows:
            rounded = round(weight, DIGITS)
            if rounded > 0 and count > 0:
                # Adding 0.0 turns a negative zero into zero, so that both are one row.
                clusters[round(total, DIGITS) + 0.0, rounded] += count
        return cls(tuple((total, weight, count) for (total, weight), count in sorted(clusters.items())))

    @classmethod
    def of(cls, differences: Iterable[float]) -> "ClusterSums":
        """Return sums in which each difference is a cluster of its own."""
        return cls.tally((difference, 1, 1) for difference in differences)

    @property
    def clusters(self) -> int:
        return sum(count for _, _, count in self.counted)

    @property
    def weight(self) -> float:
        return math.fsum(weight * count for _, weight, count in self.counted)

    @property
    def pairs(self) -> int:
        """Return the number of pairs: the sum of the clusters' weights. Do not use it for cost and latency, whose
        weights are not numbers of pairs."""
        return round(self.weight)

    @property
    def mean(self) -> float | None:
        """Return Σ sums / Σ weights: the mean over pairs, not over clusters. `None` without a pair."""
        if not self.counted:
            return None
        return round(math.fsum(total * count for total, _, count in self.counted) / self.weight, DIGITS) + 0.0

    @property
    def variance(self) -> float | None:
        """Return the variance of one cluster's contribution to the mean; `None` with fewer than two clusters.

        Clusters differ in weight, so the mean is a ratio of two sums. The formula takes this into account (Cochran,
        "Sampling Techniques", 1977, chapter 6).

        The squared standard error of the mean is `variance / clusters`.
        """
        clusters = self.clusters
        if clusters < 2:
            return None
        weight = self.weight
        mean = math.fsum(total * count for total, _, count in self.counted) / weight
        residuals = ((total - mean * cluster_weight, count) for total, cluster_weight, count in self.counted)
        squares = math.fsum(count * residual**2 for residual, count in residuals)
        return clusters / (clusters - 1) * squares / (weight * weight) * clusters

    @property
    def design_effect(self) -> float:
        """Return the factor by which unequal weights of clusters increase the variance of the mean (Kish 1965). It is 1
        if all weights are equal."""
        squares = math.fsum(count * weight**2 for _, weight, count in self.counted)
        return self.clusters * squares / self.weight**2 if self.counted else 1.0

    @property
    def has_spread(self) -> bool:
        """Return whether the means of the clusters differ by more than rounding errors."""
        means = [total / weight for total, weight, _ in self.counted]
        return bool(means) and max(means) - min(means) > 2 * 10**-DIGITS

    @property
    def mirrored(self) -> "ClusterSums":
        """Return the same sums as baseline minus candidate. For cost and latency, where less is better, a positive
        value is then an improvement."""
        return ClusterSums(tuple(sorted((0.0 - total, weight, count) for total, weight, count in self.counted)))
