"""Compute the cosine similarity of two vectors."""

import math
from collections.abc import Sequence

from judge.domain.cannot_score import CannotScore


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the cosine from -1 to 1; 0 for a zero vector. Raises `CannotScore` when the lengths differ."""
    if len(one) != len(other):
        raise CannotScore(f"Vectors of {len(one):,} and of {len(other):,} numbers cannot be compared.")
    length = math.hypot(*one) * math.hypot(*other)
    if not length:
        return 0.0
    # Rounding errors may lead to a value slightly beyond 1.
    return max(-1.0, min(1.0, math.fsum(a * b for a, b in zip(one, other, strict=True)) / length))
