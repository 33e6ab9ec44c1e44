"""Compute the cosine similarity of two vectors."""

import math
from collections.abc import Sequence

from judge.domain.cannot_score import CannotScore


def cosine(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the cosine similarity of two vectors, from -1 to 1; 0 if one of the vectors is the zero vector.

    Raises `CannotScore` if the vectors have different numbers of elements.
    """
    if len(first) != len(second):
        raise CannotScore(f"Vectors of {len(first):,} and of {len(second):,} numbers cannot be compared.")
    length = math.hypot(*first) * math.hypot(*second)
    if not length:
        return 0.0
    # Rounding errors may lead to a value slightly beyond 1.
    return max(-1.0, min(1.0, math.fsum(a * b for a, b in zip(first, second, strict=True)) / length))
