"""Turn clusters into the arrays that every method computes with.

In a paired design the mean is over answers: each cluster contributes the sum of its values, and its number of answers
as its weight. If a cluster has fewer answers under one variant, the other variant's sum is scaled down to this number
(see `pair`). In a split design every cluster is a unit and counts once, however many answers it has.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from orchestrator.experiments.domain.analysis.types import Clusters

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Pairs:
    """The values under control and treatment, one array entry per pair. In a paired design, a pair is a cluster that
    both variants answered. In a split design, it is one unit of each variant, or the mean of several, in the order of
    their arrival (see `sequential.blocks`).

    In a paired design, the values are sums over the answers of the cluster, and `weights` has the number of these
    answers, which is the same for control and treatment. In a split design, each weight is 1.
    """

    control: "Floats"
    treatment: "Floats"
    weights: "Floats"

    @property
    def differences(self) -> "Floats":
        """Return treatment minus control, rounded to 1e-9 so that equal differences compare equal."""
        import numpy as np

        return np.round(self.treatment - self.control, 9)


def pair(control: Clusters, treatment: Clusters) -> Pairs:
    """Return the clusters that both variants answered. If a cluster has fewer answers under one variant, the other
    variant's sum is scaled down to the same number of answers."""
    import numpy as np

    many = min(len(control.totals), len(treatment.totals))
    totals = np.array([control.totals[:many], treatment.totals[:many]], dtype=np.float64)
    weights = np.array([control.weights[:many], treatment.weights[:many]], dtype=np.float64)
    _check(totals, weights)
    both = (weights > 0).all(axis=0)
    totals, weights = totals[:, both], weights[:, both]
    shared = weights.min(axis=0)
    scaled = np.where(weights == shared, totals, totals / weights * shared)
    return Pairs(control=scaled[0], treatment=scaled[1], weights=shared)


def unit_means(clusters: Clusters) -> "Floats":
    """Return the mean of each cluster that has a value."""
    import numpy as np

    totals = np.array(clusters.totals, dtype=np.float64)
    weights = np.array(clusters.weights, dtype=np.float64)
    _check(totals, weights)
    there = weights > 0
    return totals[there] / weights[there]


def weighted(clusters: Clusters) -> "tuple[Floats, Floats]":
    """Return the sums of values and the numbers of answers of the clusters that have a value, as two arrays."""
    import numpy as np

    totals = np.array(clusters.totals, dtype=np.float64)
    weights = np.array(clusters.weights, dtype=np.float64)
    _check(totals, weights)
    there = weights > 0
    return totals[there], weights[there]


def _check(totals: "Floats", weights: "Floats") -> None:
    import numpy as np

    if not (np.isfinite(totals).all() and np.isfinite(weights).all() and (weights >= 0).all()):
        raise ValueError("totals and weights are finite, and no weight is negative")
