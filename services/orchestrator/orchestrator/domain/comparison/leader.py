"""Which of several columns is the best: the one whose lead over each other is more than chance."""

from collections.abc import Sequence

from orchestrator.domain.comparison.verdict import ScoreEvidence, Verdict


def leading(overall: Sequence[float | None]) -> int | None:
    """The index of the highest score; `None` without a score or with two that are the highest.

    >>> leading([0.2, 0.7, 0.5]), leading([0.7, 0.7]), leading([None])
    (1, None, None)
    """
    known = [score for score in overall if score is not None]
    if not known or known.count(max(known)) > 1:
        return None
    return list(overall).index(max(known))


def chased_by(others: Sequence[tuple[int, ScoreEvidence]]) -> list[tuple[int, ScoreEvidence]]:
    """Those that the leader, whom `others` are compared with, is not certainly ahead of."""
    return [(at, evidence) for at, evidence in others if evidence.verdict is not Verdict.WORSE]
