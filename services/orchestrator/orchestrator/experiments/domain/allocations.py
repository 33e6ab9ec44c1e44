"""Divide the cases of a round among the variants of a split design, in which each case goes to one variant."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from orchestrator.experiments.domain.analysis import types as stats
from orchestrator.experiments.domain.analysis.allocation import allocate, assign
from orchestrator.experiments.domain.order import OrderedCase
from orchestrator.experiments.domain.records import Experiment, Variant


def allocation_of(
    experiment: Experiment,
    live: Sequence[Variant],
    setup: stats.AnalysisSetup | None,
    data: Sequence[stats.VariantData],
) -> dict[UUID, float]:
    """Return the share of the next round that each variant in `live` gets, by variant id. `live` are the variants that
    still get calls; their shares add up to 1.

    A bandit allocates by Thompson sampling, from the second round on. Any other experiment, and the first round of a
    bandit, uses the configured shares.
    """
    if experiment.is_bandit and setup is not None:
        shares = {UUID(variant_id): share for variant_id, share in allocate(setup, data).items()}
        wanted = {variant.id: shares.get(variant.id, 0.0) for variant in live}
    else:
        wanted = {variant.id: variant.traffic_allocation for variant in live}
    total = sum(wanted.values())
    return {variant_id: share / total for variant_id, share in wanted.items()}


def split(seed: int, cases: Sequence[OrderedCase], allocation: Mapping[UUID, float]) -> dict[UUID, list[int]]:
    """Return the positions of the cases that each variant gets, by variant id. All cases of a cluster go to the same
    variant. A hash of the seed and the cluster's first case decides which."""
    variants = [stats.Variant(str(id_), str(id_), False, share) for id_, share in allocation.items()]
    first_of: dict[int, str] = {}
    positions: dict[UUID, list[int]] = {variant_id: [] for variant_id in allocation}
    for case in cases:
        unit = first_of.setdefault(case.cluster, str(case.case_id))
        positions[UUID(assign(seed, unit, variants))].append(case.position)
    return positions
