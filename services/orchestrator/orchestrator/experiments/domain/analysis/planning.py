"""Plan the sample of an experiment before any call is paid for."""

import math
from collections.abc import Mapping, Sequence

from orchestrator.comparison.domain.power import fewest
from orchestrator.experiments.domain.analysis.power import expected_clusters, power_of
from orchestrator.experiments.domain.analysis.types import AnalysisSetup, PlanPoint, SamplePlan, VariantCost
from orchestrator.experiments.domain.words import Design, Method

_MULTIPLES = (0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0)
_STEPS = 40
_LEAST = 2


def plan(
    setup: AnalysisSetup,
    *,
    variance: float,
    available: int,
    power: float = 0.8,
    costs: Mapping[str, VariantCost] | None = None,
    concurrency: int = 1,
    effects: Sequence[float] = (),
) -> SamplePlan:
    """Return the sample that the minimum effect needs, with its power, calls, cost and time.

    In a paired design, `variance` is that of the difference of one pair of clusters. In a split design, it is that of
    one cluster of one variant. `available` is the number of clusters that the sources have, for each variant. The plan
    also has a sample size for each of `effects`; by default these are multiples of the minimum effect. `setup.planned`
    is ignored: pass any number. In a split design, sample sizes are those of the variant with the smallest allocation.
    """
    if not variance >= 0 or available < 0 or concurrency < 1 or not 0 < power < 1:
        raise ValueError("the variance is not negative, the power is between 0 and 1, and there is a worker")
    needed = needed_clusters(setup, effect=setup.minimum_effect, variance=variance, power=power)
    most = max(setup.minimum, needed) if needed is not None else available
    planned = min(most, available)
    spent = _Spending(setup, costs or {}, concurrency)
    expected = None
    if setup.method is Method.SEQUENTIAL:
        likely = expected_clusters(setup, clusters=planned, effect=setup.minimum_effect, variance=variance)
        expected = spent.calls(likely)
    return SamplePlan(
        sample_size=needed,
        planned=planned,
        enough=needed is not None and needed <= available,
        power=power_of(setup, clusters=planned, effect=setup.minimum_effect, variance=variance),
        standard_deviation=math.sqrt(variance),
        calls=spent.calls(planned),
        expected_calls=expected,
        cost_usd=spent.cost_usd(planned),
        duration_s=spent.duration_s(planned),
        curve=[
            _point(setup, effect, variance, power, planned, spent)
            for effect in effects or [setup.minimum_effect * multiple for multiple in _MULTIPLES]
        ],
        minimum_detectable_effect=minimum_detectable_effect(setup, clusters=planned, variance=variance, power=power),
        method="betting growth, normal approximation" if setup.method is Method.SEQUENTIAL else "noncentral t",
        warnings=list(_warnings(setup, needed, available)),
    )


def needed_clusters(setup: AnalysisSetup, *, effect: float, variance: float, power: float) -> int | None:
    """Return the fewest clusters of each variant that show the effect with this power; `None` if no number suffices."""
    if effect <= 0:
        return None
    found = fewest(
        lambda clusters: power_of(setup, clusters=clusters, effect=effect, variance=variance) >= power - 1e-12
    )
    return None if found is None else max(_LEAST, found)


def minimum_detectable_effect(
    setup: AnalysisSetup, *, clusters: int, variance: float, power: float = 0.8
) -> float | None:
    """Return the smallest effect that `clusters` clusters of each variant show with this power.

    Return `None` if they do not show even the largest effect that is considered: the range of the metric or, for cost
    and latency, ten times the control's mean.
    """
    bounds = setup.metric.bounds
    most = 10.0 if bounds is None else bounds[1] - bounds[0]

    def enough(effect: float) -> bool:
        return power_of(setup, clusters=clusters, effect=effect, variance=variance) >= power

    if not enough(most):
        return None
    least = 0.0
    for _ in range(_STEPS):
        middle = (least + most) / 2
        least, most = (least, middle) if enough(middle) else (middle, most)
    return most


class _Spending:
    """Computes the calls, the cost and the time of a planned sample from its number of clusters."""

    def __init__(self, setup: AnalysisSetup, costs: Mapping[str, VariantCost], concurrency: int) -> None:
        self._concurrency = concurrency
        smallest = min(variant.traffic_allocation for variant in setup.variants)
        split = setup.design is Design.SPLIT and smallest > 0
        self._parts = [
            (costs.get(variant.id, VariantCost()), variant.traffic_allocation / smallest if split else 1.0)
            for variant in setup.variants
        ]

    def calls(self, clusters: int) -> int:
        return math.ceil(sum(cost.calls * times * clusters for cost, times in self._parts))

    def cost_usd(self, clusters: int) -> float | None:
        return self._sum([(cost.cost_usd, times) for cost, times in self._parts], clusters)

    def duration_s(self, clusters: int) -> float | None:
        seconds = self._sum([(cost.seconds, times) for cost, times in self._parts], clusters)
        return None if seconds is None else seconds / self._concurrency

    @staticmethod
    def _sum(parts: Sequence[tuple[float | None, float]], clusters: int) -> float | None:
        known = [each * times * clusters for each, times in parts if each is not None]
        return sum(known) if len(known) == len(parts) else None


def _point(
    setup: AnalysisSetup, effect: float, variance: float, power: float, planned: int, spent: _Spending
) -> PlanPoint:
    needed = needed_clusters(setup, effect=effect, variance=variance, power=power)
    return PlanPoint(
        effect=effect,
        sample_size=needed,
        power=power_of(setup, clusters=planned, effect=effect, variance=variance),
        calls=None if needed is None else spent.calls(needed),
        cost_usd=None if needed is None else spent.cost_usd(needed),
    )


def _warnings(setup: AnalysisSetup, needed: int | None, available: int) -> "list[str]":
    found = []
    if needed is None:
        found.append("No number of cases shows an effect of this size. Choose a larger minimum effect.")
    elif needed > available:
        found.append(
            f"The sources have {available:,} clusters, but the minimum effect needs {needed:,}. Add cases, or choose a "
            "larger minimum effect."
        )
    if setup.is_bandit:
        found.append("A bandit gives most units to the variant that looks best, so differences are found later.")
    return found
