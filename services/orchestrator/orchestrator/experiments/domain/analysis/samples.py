"""Compare a treatment with the control in one metric: the estimate, the confidence sequence and the size of the
effect."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from orchestrator.experiments.domain.analysis import estimates, sequential
from orchestrator.experiments.domain.analysis.columns import Pairs, pair, unit_means
from orchestrator.experiments.domain.analysis.estimates import Estimate
from orchestrator.experiments.domain.analysis.types import AnalysisSetup, Clusters, Metric, Variant
from orchestrator.experiments.domain.words import Design

if TYPE_CHECKING:
    from orchestrator.experiments.domain.analysis.columns import Floats


@dataclass(frozen=True)
class Sample:
    """The values of one metric by cluster, for the control and for one treatment.

    `ended` is the number of clusters in which both variants have answered everything, even if an answer has no value.
    """

    setup: AnalysisSetup
    metric: Metric
    treatment: Variant
    of_control: Clusters
    of_treatment: Clusters

    @property
    def ended(self) -> int:
        return min(len(self.of_control.totals), len(self.of_treatment.totals))

    @property
    def measured(self) -> int:
        """Return the number of clusters that count. In a paired design, both variants must have a value in a cluster.
        In a split design, it is the number of clusters of the variant that has fewer with a value."""
        return min(len(values) for values in self.units)

    @property
    def paired(self) -> bool:
        return self.setup.design is Design.PAIRED

    @cached_property
    def pairs(self) -> Pairs:
        """Return the pairs of values of control and treatment. In a paired design, a pair is a cluster that both
        variants answered. In a split design, a pair is one unit of each variant, in the order of arrival (see
        `sequential.blocks`)."""
        if self.paired:
            return pair(self.of_control, self.of_treatment)
        shares = self.setup.control.traffic_allocation, self.treatment.traffic_allocation
        return sequential.blocks(unit_means(self.of_control), unit_means(self.of_treatment), shares=shares)

    @cached_property
    def units(self) -> "tuple[Floats, Floats]":
        """Return the means of the control's and of the treatment's clusters. In a paired design, only clusters that
        both variants answered are included."""
        if self.paired:
            return self.pairs.control / self.pairs.weights, self.pairs.treatment / self.pairs.weights
        return unit_means(self.of_control), unit_means(self.of_treatment)

    @cached_property
    def estimate(self) -> Estimate:
        """Return the estimate of treatment minus control, as a share of the control's mean if the metric is
        relative."""
        if self.paired:
            of_pairs = estimates.paired_share if self.metric.relative else estimates.paired_difference
            return of_pairs(self.pairs)
        return (estimates.welch_share if self.metric.relative else estimates.welch)(*self.units)

    @property
    def effect_size(self) -> float | None:
        return estimates.cohens_d(*self.units)

    @property
    def control_mean(self) -> float | None:
        """Return the mean of the control over the clusters that are compared."""
        if not self.paired:
            return float(self.units[0].mean()) if len(self.units[0]) else None
        weight = float(self.pairs.weights.sum())
        return float(self.pairs.control.sum()) / weight if weight else None

    @property
    def treatment_mean(self) -> float | None:
        if not self.paired:
            return float(self.units[1].mean()) if len(self.units[1]) else None
        weight = float(self.pairs.weights.sum())
        return float(self.pairs.treatment.sum()) / weight if weight else None

    @property
    def all_binary(self) -> bool:
        """Return whether each cluster is a single answer that passes or fails."""
        if not self.metric.binary:
            return False
        single = not self.paired or bool((self.pairs.weights == 1).all())
        return single and all(bool(((arm == 0) | (arm == 1)).all()) for arm in self.units)

    def bounds(self, alpha: float) -> tuple[float, float] | None:
        """Return the confidence sequence by betting (see `sequential`): the bounds of the difference, with the error
        probability `alpha` / 2 at each end.

        Return `None` for a metric of cost or latency as long as its cap, the largest value that counts, is unknown.
        """
        largest = self.setup.largest_cluster if self.paired else 1.0
        planned, pairs = self.setup.tuned_for, self.pairs
        if self.metric.bounds is None:
            ratio, _ = sequential.capped_ratio(pairs, cap=self.metric.cap, planned=planned, largest=largest)
            if ratio is None:
                return None
            return ratio.low(alpha / 2) - 1, ratio.high(alpha / 2) - 1
        span = self.metric.bounds[1] - self.metric.bounds[0]
        differences = sequential.bounded_mean(
            pairs.differences, pairs.weights, bounds=(-span, span), planned=planned, largest=largest
        )
        return differences.low(alpha / 2), differences.high(alpha / 2)

    @property
    def cap(self) -> float | None:
        """Return the cap of a relative metric (cost, latency): the largest value with which a cluster's mean counts.
        Return `None` if the cap is unknown, and for any other metric."""
        if self.metric.bounds is not None:
            return None
        largest = self.setup.largest_cluster if self.paired else 1.0
        ratio, cap = sequential.capped_ratio(
            self.pairs, cap=self.metric.cap, planned=self.setup.tuned_for, largest=largest
        )
        return cap if ratio is not None else None


def known(value: float) -> float | None:
    """Return the value, or `None` if it is not finite.

    >>> known(float("inf")) is None
    True
    """
    return value if math.isfinite(value) else None
