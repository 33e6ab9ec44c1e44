"""The values of an experiment as the database returns them: sums per cluster, variant by variant."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True)
class CaseValue:
    """The values of one case of a round under one variant. A null value is missing, and is never counted as 0.
    `propensity` is the probability with which the case was given to this variant; null in a paired design."""

    variant_id: UUID
    position: int
    name: str
    cluster: int
    value: float | None
    guardrails: Mapping[str, float | None]
    item_id: UUID | None
    propensity: float | None = None


@dataclass(frozen=True)
class ClusterValues:
    """The sums of one cluster under one variant: the sum of values and their number, for the primary metric and for
    each guardrail. `missing` counts cases or units without a value of the primary metric. `propensity` is the
    probability with which the cluster was given to this variant; null if it is unknown."""

    cluster: str
    total: float
    weight: int
    missing: int
    guardrails: Mapping[str, tuple[float, int]]
    propensity: float | None


@dataclass(frozen=True)
class Values:
    """All values of an experiment. `clusters` has the sums of each variant by cluster. `order` has the names of all
    clusters in the order of the shuffle or of arrival. `assigned` is the number of units that each variant was
    assigned."""

    clusters: Mapping[UUID, Mapping[str, ClusterValues]]
    order: tuple[str, ...]
    assigned: Mapping[UUID, int]
