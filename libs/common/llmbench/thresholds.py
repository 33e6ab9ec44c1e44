"""Compare scores with thresholds without floating-point noise.

A mean of 0.7 may be computed as 0.6999999999999998. The comparisons round both sides to 1e-9 first, which is finer than
the differences of scores and coarser than the noise.
"""

DIGITS = 9


def tidy(value: float) -> float:
    """Round a value to 1e-9, for display and comparison. Infinities and NaN stay as they are, and -0.0 becomes 0.0.

    >>> tidy(0.6999999999999998), tidy(-1e-17)
    (0.7, 0.0)
    """
    return round(value, DIGITS) + 0.0


def reaches(value: float, threshold: float) -> bool:
    """Return whether the value is at least the threshold, after both are rounded.

    >>> reaches(0.6999999999999998, 0.7), reaches(0.699999, 0.7)
    (True, False)
    """
    return tidy(value) >= tidy(threshold)


def exceeds(value: float, limit: float) -> bool:
    """Return whether the value is more than the limit, after both are rounded.

    >>> exceeds(0.30000000000000004, 0.3), exceeds(0.300001, 0.3)
    (False, True)
    """
    return tidy(value) > tidy(limit)
