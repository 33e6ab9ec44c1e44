"""Allocate a stratified sample: decide how many cases each stratum contributes."""

from collections.abc import Mapping
from fractions import Fraction


def allocate(totals: Mapping[str | None, int], size: int) -> dict[str | None, int]:
    """Return the number of cases to take from each stratum, in proportion to its size (method of largest remainders).

    `totals` has the number of cases in each stratum. The result sums up to `size`, or to all cases if there are fewer.
    Ties go to the larger stratum, then by name, `None` first. Source: https://en.wikipedia.org/wiki/Quota_method

    In the example, the exact shares are 3, 1.5 and 0.5.

    >>> allocate({"easy": 6, "hard": 3, None: 1}, 5)
    {None: 0, 'easy': 3, 'hard': 2}
    """
    population = sum(totals.values())
    size = min(size, population)
    if not size:
        return dict.fromkeys(totals, 0)
    order = sorted(totals, key=lambda value: (value is not None, value or ""))
    quotas = {value: Fraction(totals[value] * size, population) for value in order}
    sizes = {value: int(quota) for value, quota in quotas.items()}
    left = size - sum(sizes.values())
    by_remainder = sorted(order, key=lambda value: (sizes[value] - quotas[value], -totals[value]))
    for value in by_remainder[:left]:
        sizes[value] += 1
    return sizes
