"""Correct p values for the number of treatments.

Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6 (1979).
"""

from collections.abc import Sequence


def holm_multipliers(p_values: Sequence[float]) -> list[int]:
    """Return the number by which Holm's method multiplies each p value. For the smallest p value this is the number of
    p values, for the next one it is one less, and so on.

    >>> holm_multipliers([0.04, 0.01])
    [1, 2]
    """
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    multipliers = [0] * len(p_values)
    for rank, at in enumerate(order):
        multipliers[at] = len(p_values) - rank
    return multipliers


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the adjusted p values in the same order. A hypothesis is rejected if its adjusted value is at most α.

    >>> holm([0.04, 0.01])
    [0.04, 0.02]
    """
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    multipliers = holm_multipliers(p_values)
    for at in sorted(range(len(p_values)), key=p_values.__getitem__):
        largest = max(largest, min(1.0, round(multipliers[at] * p_values[at], 12)))
        adjusted[at] = largest
    return adjusted
