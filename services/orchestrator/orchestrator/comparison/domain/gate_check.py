"""Measure a gate's false alarms before relying on it: compare the baseline with itself, many times.

With several epochs, each case's epochs are split at random into a candidate and a baseline. Their difference shows how
much the results of an unchanged model vary between two runs.

With one epoch, clusters are paired at random with other clusters. This overstates the noise, because different cases
differ more than two runs of the same cases. `basis` says which of the two methods was used.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from orchestrator.comparison.domain.clusters import ClusterSums
from orchestrator.comparison.domain.coverage import GatePair
from orchestrator.comparison.domain.gate import GateState, decide_gate
from orchestrator.comparison.domain.interval import SCORES

if TYPE_CHECKING:
    import numpy as np

CHECKS = 200
_SEED = 20_261_124

Cluster = Sequence[Sequence[float]]
"""The cases of one cluster, each as the scores of its epochs."""


class Basis(StrEnum):
    EPOCHS = "epochs of the same case"
    CASES = "random pairs of cases"


@dataclass(frozen=True)
class GateCheck:
    """The results of comparing the baseline with itself `checks` times.

    `worse` counts false alarms. `lower_than_baseline` counts undecided results in which the candidate is certainly
    worse than the baseline (for cost and latency: higher). `variance` is the variance of a cluster's difference,
    averaged over the comparisons; it is an argument of `planning.probability_fine`.
    """

    basis: Basis
    checks: int
    clusters: int
    fine: int
    worse: int
    undecided: int
    lower_than_baseline: int
    variance: float | None


def check_gate(
    clusters: Sequence[Cluster],
    *,
    margin: float,
    checks: int = CHECKS,
    bounds: tuple[float, float] | None = SCORES,
    weights: Sequence[Sequence[float]] | None = None,
) -> GateCheck:
    """Compare the baseline with itself `checks` times. `margin` is the acceptable loss. `bounds` are the smallest and
    the largest possible difference in a case, and `None` for cost and latency. `weights` has one list per cluster with
    the weight of each of its cases in the mean; by default all weights are 1.

    Raises `ValueError` if nothing can be paired: no case has two epochs, and there are fewer than two clusters. Also
    raises `ValueError` for a margin that is not above 0.
    """
    import numpy as np

    random = np.random.default_rng(_SEED)
    basis = Basis.EPOCHS if any(len(case) > 1 for cluster in clusters for case in cluster) else Basis.CASES
    weighed = weights or [[1.0] * len(cluster) for cluster in clusters]
    drawn = [
        _split(clusters, weighed, random) if basis is Basis.EPOCHS else _paired(clusters, random) for _ in range(checks)
    ]
    if not drawn or not drawn[0].counted:
        raise ValueError("the baseline has neither a case of two epochs nor two clusters to pair")
    results = [
        decide_gate([GatePair(sums, sums.clusters, sums.clusters)], margin=margin, bounds=bounds) for sums in drawn
    ]
    variances = [sums.variance for sums in drawn]
    known = [variance for variance in variances if variance is not None]
    states = [result.state for result in results]
    return GateCheck(
        basis=basis,
        checks=checks,
        clusters=drawn[0].clusters,
        fine=states.count(GateState.FINE),
        worse=states.count(GateState.WORSE),
        undecided=states.count(GateState.UNDECIDED),
        lower_than_baseline=sum(result.lower_than_baseline for result in results),
        variance=sum(known) / len(known) if known else None,
    )


def _split(
    clusters: Sequence[Cluster], weights: Sequence[Sequence[float]], random: "np.random.Generator"
) -> ClusterSums:
    rows = []
    for cluster, of_cases in zip(clusters, weights, strict=True):
        total = weight_of_cluster = 0.0
        for case, weight in zip(cluster, of_cases, strict=True):
            if len(case) > 1:
                order = random.permutation(len(case))
                half = len(case) // 2
                candidate, baseline = order[:half], order[half : 2 * half]
                difference = sum(case[at] for at in candidate) / half - sum(case[at] for at in baseline) / half
                total += weight * difference
                weight_of_cluster += weight
        rows.append((total, weight_of_cluster, 1))
    return ClusterSums.tally(rows)


def _paired(clusters: Sequence[Cluster], random: "np.random.Generator") -> ClusterSums:
    """Pair clusters at random, and return the differences of their means. Cases of the same cluster are not paired,
    because they depend on each other."""
    scores = [[score for case in cluster for score in case] for cluster in clusters]
    means = [sum(score) / len(score) for score in scores if score]
    order = random.permutation(len(means))
    half = len(means) // 2
    return ClusterSums.of(
        means[first] - means[other] for first, other in zip(order[:half], order[half : 2 * half], strict=True)
    )
