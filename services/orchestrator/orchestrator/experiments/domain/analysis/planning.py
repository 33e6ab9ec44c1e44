"""Plan the sample of an experiment before any call is paid for."""

from collections.abc import Mapping, Sequence

from orchestrator.experiments.domain.analysis.types import AnalysisSetup, SamplePlan, VariantCost


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

    `variance` is that of the difference of one pair of clusters in a paired design, and that of one cluster of one
    variant in a split design. `available` is the number of clusters that the sources have, for each variant. `effects`
    are those of the slider; by default they are multiples of the minimum effect. `setup.planned` is ignored.
    """
    raise NotImplementedError
