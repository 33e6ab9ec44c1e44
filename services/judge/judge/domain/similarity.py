"""How alike two texts are, by rapidfuzz. `ratio` is its indel similarity, not Levenshtein's.

The scorers hold Python's lock while they work, so what they get is bounded (measured: 50,000 characters against as
many take 0.1 s; `partial_ratio` of 5,000 against 50,000 takes 8 s, of 1,000 against 50,000 0.1 s).
"""

from typing import Literal

from judge.domain.cannot_score import CannotScore

Method = Literal["ratio", "partial_ratio", "token_sort_ratio", "token_set_ratio"]
LONGEST_CHARS = 50_000
LONGEST_PART_CHARS = 1_000


def similarity(one: str, other: str, method: Method) -> float:
    """From 0 to 1; the same texts are always 1, which rapidfuzz's token methods deny of empty ones.
    Raises `CannotScore` for texts that are too long."""
    from rapidfuzz import fuzz

    if one == other:
        return 1.0
    shorter, longer = sorted((len(one), len(other)))
    if longer > LONGEST_CHARS:
        raise CannotScore(f"A text of {longer:,} characters is too long to compare; the limit is {LONGEST_CHARS:,}.")
    if method == "partial_ratio" and shorter > LONGEST_PART_CHARS:
        raise CannotScore(
            f"partial_ratio looks for texts of at most {LONGEST_PART_CHARS:,} characters, this one has {shorter:,}; "
            "choose another method."
        )
    value: float = getattr(fuzz, method)(one, other)
    return value / 100
