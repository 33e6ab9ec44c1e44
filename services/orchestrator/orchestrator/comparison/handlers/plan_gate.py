"""Plan a gate: compute how likely it gives an unchanged model the verdict *fine*, and the number of clusters or the
margin that would raise this probability to 80 %."""

from dataclasses import dataclass

from orchestrator.comparison.domain.planning import LEAST_POWER, needed_clusters, needed_margin, probability_fine
from orchestrator.comparison.handlers.gate_metric import GateMetric
from orchestrator.comparison.ports.gates import GateRequest

PILOT_CLUSTERS = 10
"""The minimum number of clusters for a pilot. The variance of fewer clusters predicts the next run poorly."""


@dataclass(frozen=True)
class GatePlan:
    """The probability that the gate gives an unchanged model the verdict *fine*, and the number of clusters or the
    margin that would raise this probability to 80 %.

    `clusters` and `margin` are `None` if the probability is at least 80 % already. Each is also `None` if no value of
    it suffices.
    """

    probability: float
    clusters: int | None
    margin: float | None


def plan_gate(clusters: int, variance: float, named: GateMetric, choice: GateRequest, pairs: int) -> GatePlan:
    bounded = not named.relative
    probability = probability_fine(
        variance=variance, clusters=clusters, margin=choice.margin, pairs=pairs, bounded=bounded
    )
    if probability >= LEAST_POWER:
        return GatePlan(probability, None, None)
    return GatePlan(
        probability,
        needed_clusters(margin=choice.margin, variance=variance, pairs=pairs, bounded=bounded),
        needed_margin(clusters=clusters, variance=variance, pairs=pairs, bounded=bounded),
    )
