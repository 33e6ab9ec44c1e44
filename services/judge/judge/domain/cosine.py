"""How alike two directions are."""

import math
from collections.abc import Sequence

from judge.domain.cannot_score import CannotScore


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """From -1 to 1; 0 where a vector has no direction. Raises `CannotScore` for vectors of two models."""
    if len(one) != len(other):
        raise CannotScore(f"Vectors of {len(one):,} and of {len(other):,} numbers cannot be compared.")
    length = math.hypot(*one) * math.hypot(*other)
    if not length:
        return 0.0
    # What floating point adds to a whole is taken off.
    return max(-1.0, min(1.0, math.fsum(a * b for a, b in zip(one, other, strict=True)) / length))
