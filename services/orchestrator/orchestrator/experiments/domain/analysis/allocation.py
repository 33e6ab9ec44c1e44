"""Give units to variants: by a hash of the unit, or by Thompson sampling."""

from collections.abc import Sequence

from orchestrator.experiments.domain.analysis.types import AnalysisSetup, Variant, VariantData


def assign(seed: int, unit_id: str, variants: Sequence[Variant]) -> str:
    """Return the id of the unit's variant. The same seed and unit always give the same variant."""
    raise NotImplementedError


def allocate(setup: AnalysisSetup, data: Sequence[VariantData]) -> dict[str, float]:
    """Return the share of the next round that each variant of a bandit gets, by id. The shares add up to 1."""
    raise NotImplementedError
