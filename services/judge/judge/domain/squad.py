"""Compute SQuAD's F1 and exact match with one reference (Rajpurkar et al. 2016; empty texts as in v2.0, 2018)."""

from collections import Counter
from dataclasses import dataclass

from judge.domain.simplified import squad


@dataclass(frozen=True)
class SquadMatch:
    """F1, from 0 to 1, and exact match, 0 or 1. `reference` is the normalised reference that was compared."""

    f1: float
    exact: float
    reference: str


def squad_match(answer: str, reference: str) -> SquadMatch:
    """Compare an answer, already normalised by `squad`, with a raw reference.

    If a common word occurs twice in one text and three times in the other, it counts twice. If one of the texts has no
    words, F1 and exact match are 0; if neither text has words, they are 1.
    """
    expected = squad(reference)
    ours, theirs = answer.split(), expected.split()
    exact = float(answer == expected)
    if not ours or not theirs:
        return SquadMatch(exact, exact, expected)
    common = (Counter(ours) & Counter(theirs)).total()
    # 2PR / (P + R) without rounding errors of P and R.
    return SquadMatch(2 * common / (len(ours) + len(theirs)), exact, expected)
