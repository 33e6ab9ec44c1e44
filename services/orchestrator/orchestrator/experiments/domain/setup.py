"""Build the input of the analysis from a stored experiment and its values."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from orchestrator.experiments.domain.analysis import types as stats
from orchestrator.experiments.domain.data import ClusterValues, Values
from orchestrator.experiments.domain.metrics import PASS_RATE, bounds_of, direction_of
from orchestrator.experiments.domain.records import Experiment, Round, Variant
from orchestrator.experiments.domain.requested import NewExperiment
from orchestrator.experiments.domain.words import Design, Direction

_NOTHING = ClusterValues("", 0.0, 0, 0, {}, None)


def metric_of(name: str, direction: Direction | None = None) -> stats.Metric:
    return stats.Metric(
        name, direction=direction or direction_of(name), bounds=bounds_of(name), binary=name == PASS_RATE
    )


def setup_of(experiment: Experiment, *, planned: int) -> stats.AnalysisSetup:
    """Return the setup of the experiment's analysis. `planned` is the sample of each variant after which the analysis
    decides."""
    config = experiment.config
    return stats.AnalysisSetup(
        method=config.method,
        design=config.design,
        metric=metric_of(experiment.primary_metric),
        variants=stats_variants(experiment),
        planned=planned,
        # At the end, `planned` may be lowered to the actual sample. The bets stay tuned to the sample that was planned
        # at the start, because other bets could undo a decision.
        horizon=max(experiment.planned or 2, 2),
        minimum=min(planned, config.minimum_sample_size or 2),
        guardrails=[
            stats.GuardrailMetric(metric_of(each.metric, each.direction), each.margin) for each in experiment.guardrails
        ],
        significance_level=config.significance_level,
        minimum_effect=config.minimum_effect,
        largest_cluster=float(experiment.largest_cluster),
        seed=experiment.seed,
        is_bandit=experiment.is_bandit,
        outside=experiment.outside,
    )


def stats_variants(experiment: Experiment) -> list[stats.Variant]:
    return [
        stats.Variant(str(each.id), each.name, each.is_control, each.traffic_allocation) for each in experiment.variants
    ]


def planning_setup(new: NewExperiment) -> stats.AnalysisSetup:
    """Return the settings with which the sample size of a requested experiment is computed."""
    config = new.config
    return stats.AnalysisSetup(
        method=config.method,
        design=config.design,
        metric=metric_of(new.primary_metric),
        variants=[
            stats.Variant(each.name, each.name, each.is_control, each.traffic_allocation) for each in new.variants
        ],
        planned=1_000_000,
        guardrails=[
            stats.GuardrailMetric(metric_of(each.metric, each.direction), each.margin) for each in new.guardrails
        ],
        significance_level=config.significance_level,
        minimum_effect=config.minimum_effect,
        is_bandit=new.is_bandit,
    )


def data_of(experiment: Experiment, rounds: Sequence[Round], values: Values) -> list[stats.VariantData]:
    """Return the data of each variant.

    In a paired design, a cluster has the same index in the data of every variant. A variant that gets no more calls has
    fewer clusters.
    """
    paired = experiment.config.design is Design.PAIRED
    expected = _expected(rounds)
    return [
        _data(experiment, variant, values.clusters.get(variant.id, {}), values, expected, paired=paired)
        for variant in experiment.variants
    ]


def _data(
    experiment: Experiment,
    variant: Variant,
    clusters: Mapping[str, ClusterValues],
    values: Values,
    expected: Mapping[UUID, float],
    *,
    paired: bool,
) -> stats.VariantData:
    last = max((place for place, cluster in enumerate(values.order) if cluster in clusters), default=-1)
    places = [cluster for cluster in values.order[: last + 1] if paired or cluster in clusters]
    of_places = [clusters.get(cluster, _NOTHING) for cluster in places]
    answered = sum(cluster.weight for cluster in clusters.values())
    missing = sum(cluster.missing for cluster in clusters.values())
    return stats.VariantData(
        variant_id=str(variant.id),
        clusters=stats.Clusters([each.total for each in of_places], [float(each.weight) for each in of_places]),
        assigned=values.assigned.get(variant.id, 0),
        answered=answered,
        missing=missing,
        expected_assigned=expected.get(variant.id),
        guardrails={
            guardrail.metric: stats.Clusters(
                [each.guardrails.get(guardrail.metric, (0.0, 0))[0] for each in of_places],
                [float(each.guardrails.get(guardrail.metric, (0.0, 0))[1]) for each in of_places],
            )
            for guardrail in experiment.guardrails
        },
        propensities=[each.propensity or 0.0 for each in of_places] if experiment.is_bandit else None,
    )


def _expected(rounds: Sequence[Round]) -> dict[UUID, float]:
    """Return how many answers each variant should have been assigned in the finished rounds of a split design. The
    number follows from the allocations of these rounds."""
    cases: dict[int, int] = {}
    shares: dict[int, Mapping[str, float]] = {}
    for round_ in rounds:
        if round_.allocation is not None and round_.counted:
            cases[round_.number] = cases.get(round_.number, 0) + len(round_.positions)
            shares[round_.number] = round_.allocation
    expected: dict[UUID, float] = {}
    for number, allocation in shares.items():
        for variant_id, share in allocation.items():
            expected[UUID(variant_id)] = expected.get(UUID(variant_id), 0.0) + share * cases[number]
    return expected
