"""How much of a score the length of the answer alone explains: Spearman's rank correlation.

Judges take length for quality: on dialogue data length alone correlates .36 with people's scores,
more than BLEU does. A score that follows the length may measure nothing else.
"""

LEAST_ANSWERS = 3


def undefined_because(answers: int, *, lengths: int, scores: int) -> str | None:
    """Why there is no correlation; `None` when there is one. `lengths` and `scores` count the
    different ones."""
    if answers < LEAST_ANSWERS:
        return f"fewer than {LEAST_ANSWERS} answers are scored"
    if lengths < 2:
        return "all answers are of the same length"
    if scores < 2:
        return "all scores are equal"
    return None
