"""Check whether the data of an experiment can be trusted. An unhealthy experiment names no winner.

A chi-square test at .001 compares the assigned units with the allocations (Fabijan et al., "Diagnosing sample ratio
mismatch in online controlled experiments", KDD 2019). At least 90 % of the answers must have a value, because the
missing answers may be the ones that differ.
"""

from collections.abc import Sequence

from orchestrator.comparison.domain.coverage import ENOUGH_PERCENT
from orchestrator.experiments.domain.analysis.types import AnalysisSetup, SampleRatio, VariantData
from orchestrator.experiments.domain.words import Design

MISMATCH_BELOW = 0.001


def sample_ratio(observed: Sequence[int], weights: Sequence[float]) -> SampleRatio:
    """Return the chi-square test whether the variants' numbers of units (`observed`) fit their allocations (`weights`).
    The weights need not add up to 1."""
    from scipy.special import chdtrc

    total, weight = sum(observed), sum(weights)
    if total == 0 or weight <= 0:
        return SampleRatio(None, None, mismatch=False)
    expected = [total * each / weight for each in weights]
    if any(count and not share for count, share in zip(observed, expected, strict=True)):
        return SampleRatio(None, 0.0, mismatch=True, expected=expected)
    there = [(count, share) for count, share in zip(observed, expected, strict=True) if share]
    chi_square = sum((count - share) ** 2 / share for count, share in there)
    p_value = float(chdtrc(len(there) - 1, chi_square)) if len(there) > 1 else 1.0
    return SampleRatio(chi_square, p_value, mismatch=p_value < MISMATCH_BELOW, expected=expected)


def allocated_as_planned(setup: AnalysisSetup, data: Sequence[VariantData]) -> SampleRatio:
    """Return the check whether each variant of a split design got its share of the units. In a paired design every
    variant gets every case, so the check has no figures. It has none either for a bandit whose expected numbers of
    units are unknown."""
    if setup.design is Design.PAIRED:
        return SampleRatio(None, None, mismatch=False)
    shares = {variant.id: variant.traffic_allocation for variant in setup.variants}
    known = [each.expected_assigned for each in data if each.expected_assigned is not None]
    if setup.is_bandit and len(known) < len(data):
        return SampleRatio(None, None, mismatch=False)
    weights = known if len(known) == len(data) else [shares[each.variant_id] for each in data]
    return sample_ratio([each.assigned for each in data], weights)


def coverage(data: VariantData) -> float | None:
    """Return the share of the ended answers that have a value; `None` before any answer has ended."""
    ended = data.answered + data.missing
    return data.answered / ended if ended else None


def covered(data: VariantData) -> bool:
    """Return whether at least 90 % of the ended answers have a value, or no answer has ended yet."""
    return data.answered * 100 >= (data.answered + data.missing) * ENOUGH_PERCENT
