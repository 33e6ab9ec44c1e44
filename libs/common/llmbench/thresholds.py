"""Compare scores with thresholds without floating-point noise.

A mean of 0.7 may be computed as 0.6999999999999998. Every comparison rounds both sides to 1e-9 first, which is finer
than any score and coarser than the noise.
"""

DIGITS = 9


def tidy(value: float) -> float:
    """Return the value rounded for display and comparison; infinities and NaN stay as they are, and -0.0 becomes 0.0.

    >>> tidy(0.6999999999999998), tidy(-1e-17)
    (0.7, 0.0)
    """
    return round(value, DIGITS) + 0.0


def reaches(value: float, threshold: float) -> bool:
    """Return whether the value is at least the threshold.

    >>> reaches(0.6999999999999998, 0.7), reaches(0.699999, 0.7)
    (True, False)
    """
    return tidy(value) >= tidy(threshold)


def exceeds(value: float, limit: float) -> bool:
    """Return whether the value is more than the limit.

    >>> exceeds(0.30000000000000004, 0.3), exceeds(0.300001, 0.3)
    (False, True)
    """
    return tidy(value) > tidy(limit)
