"""What an item's scores make of it: its next move, its failure, its overall score."""

from collections.abc import Sequence
from dataclasses import dataclass

from llmbench.contracts.item_failure import ItemFailure
from llmbench.contracts.run_words import ItemStatus, RunPhase, ScoreStatus
from orchestrator.domain.transitions import ItemMoves


@dataclass(frozen=True)
class WeightedScore:
    status: ScoreStatus
    weight: float
    required: bool
    outcome: str | None = None
    raw: float | None = None
    normalised: float | None = None
    passed: bool | None = None
    reason: str | None = None
    error: str | None = None


@dataclass(frozen=True)
class Overall:
    """`raw` is on its evaluator's own scale when there is one evaluator, else on 0…1."""

    raw: float | None = None
    normalised: float | None = None
    passed: bool | None = None
    reason: str | None = None


def next_move(status: ItemStatus, scores: Sequence[WeightedScore]) -> ItemMoves | None:
    """JUDGING while a score is in progress, waiting while one is still to come; then COMPLETED
    when every required score is `scored`, else FAILED."""
    if status not in (ItemStatus.WAITING_FOR_JUDGE, ItemStatus.JUDGING) or not scores:
        return None
    states = {score.status for score in scores}
    if ScoreStatus.IN_PROGRESS in states:
        return ItemMoves.JUDGE if status == ItemStatus.WAITING_FOR_JUDGE else None
    if ScoreStatus.NEW in states:
        return ItemMoves.PUT_BACK if status == ItemStatus.JUDGING else None
    scored = all(score.status == ScoreStatus.SCORED for score in scores if score.required)
    return ItemMoves.COMPLETE if scored else ItemMoves.GIVE_UP


def failure_of(scores: Sequence[WeightedScore]) -> ItemFailure:
    """Why the item failed: its first required score that did not come."""
    missing = next(score for score in scores if score.required and score.status == ScoreStatus.FAILED)
    return ItemFailure(
        phase=RunPhase.JUDGING,
        kind=missing.outcome or "errored",
        message=missing.error or "the judge gave no verdict",
        retryable=True,
    )


def overall(scores: Sequence[WeightedScore]) -> Overall:
    """The weighted mean; null unless every weighted evaluator scored."""
    weighted = [score for score in scores if score.weight > 0]
    values = [(score.weight, score.normalised) for score in weighted if score.normalised is not None]
    if not weighted or len(values) < len(weighted):
        return Overall()
    if len(weighted) == 1:
        only = weighted[0]
        return Overall(only.raw, only.normalised, only.passed, only.reason)
    mean = sum(weight * value for weight, value in values) / sum(weight for weight, _ in values)
    verdicts = [score.passed for score in weighted if score.passed is not None]
    return Overall(mean, mean, all(verdicts) if verdicts else None, weighted[0].reason)
