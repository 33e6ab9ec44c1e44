"""What an item's scores make of it: its next move, its failure, its overall score.

Scores of one slot answer the same question, each by another revision (another judge). One of them
speaks for the slot; they are never mixed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar
from uuid import UUID

from llmbench.contracts.item_failure import ItemFailure
from llmbench.contracts.run_words import ItemStatus, RunPhase, ScoreStatus
from llmbench.thresholds import tidy
from orchestrator.domain.transitions import ItemMoves


@dataclass(frozen=True)
class WeightedScore:
    """`whole`: its revision was asked about every answered item of the run. A panel has `members`, revisions of which
    `quorum` have to give a score; `member`: it is in the run only as one of them, and speaks through the panel."""

    id: UUID
    status: ScoreStatus
    weight: float
    required: bool
    revision_id: UUID
    slot: str = "rubric"
    whole: bool = True
    outcome: str | None = None
    raw: float | None = None
    normalised: float | None = None
    passed: bool | None = None
    reason: str | None = None
    error: str | None = None
    judge_model: str | None = None
    pass_threshold: float | None = None
    members: tuple[UUID, ...] = ()
    quorum: int = 0
    member: bool = False


OWN_DOING: Final = ("refused", "malformed")
"""Kinds of failures that are the model's own: it was asked, and gave no answer that counts."""


def failed_by_itself(failure: ItemFailure) -> bool:
    """Whether the answer is missing by the model's own doing: that is worth 0, and all else is missing."""
    return failure.phase == RunPhase.BENCHMARKING and failure.kind in OWN_DOING


@dataclass(frozen=True)
class Overall:
    """`raw` is on its evaluator's own scale when one evaluator has a weight, else on 0…1; `revision_id`
    is that evaluator's, null when there are several. `passed` when every verdict there is says so, also
    that of an evaluator without weight; `reason` is that of the first which says otherwise, if any, or says why there
    is no score."""

    raw: float | None = None
    normalised: float | None = None
    passed: bool | None = None
    reason: str | None = None
    revision_id: UUID | None = None


def next_move(status: ItemStatus, scores: Sequence[WeightedScore]) -> ItemMoves | None:
    """JUDGING while a score is in progress, waiting while one is still to come; then COMPLETED
    when every required slot is `scored`, else FAILED."""
    if status not in (ItemStatus.WAITING_FOR_JUDGE, ItemStatus.JUDGING) or not scores:
        return None
    states = {score.status for score in scores}
    if ScoreStatus.IN_PROGRESS in states:
        return ItemMoves.JUDGE if status == ItemStatus.WAITING_FOR_JUDGE else None
    if ScoreStatus.NEW in states:
        return ItemMoves.PUT_BACK if status == ItemStatus.JUDGING else None
    scored = all(score.status == ScoreStatus.SCORED for score in speakers(scores) if score.required)
    return ItemMoves.COMPLETE if scored else ItemMoves.GIVE_UP


def failure_of(scores: Sequence[WeightedScore]) -> ItemFailure:
    """Why the item failed: its first required slot in which no score came."""
    missing = next(score for score in speakers(scores) if score.required and score.status == ScoreStatus.FAILED)
    return ItemFailure(
        phase=RunPhase.JUDGING,
        kind=missing.outcome or "errored",
        message=missing.error or "the judge gave no verdict",
        retryable=True,
    )


def overall(scores: Sequence[WeightedScore]) -> Overall:
    """The weighted mean over the slots; null unless every weighted slot is scored, also one that is not required: a
    mean over fewer evaluators is another measure."""
    speaking = speakers([score for score in scores if not score.member])
    weighted = [score for score in speaking if score.weight > 0]
    values = [(score.weight, score.normalised) for score in weighted if score.normalised is not None]
    if not weighted or len(values) < len(weighted):
        return Overall(reason=_why_none(weighted))
    verdicts = [score.passed for score in speaking if score.passed is not None]
    passed = all(verdicts) if verdicts else None
    decisive = next((score for score in speaking if score.passed is False), weighted[0])
    reason = decisive.reason if len(speaking) == 1 else f"{decisive.slot}: {decisive.reason or ''}"
    if len(weighted) == 1:
        only = weighted[0]
        return Overall(only.raw, only.normalised, passed, reason, only.revision_id)
    mean = tidy(sum(weight * value for weight, value in values) / sum(weight for weight, _ in values))
    return Overall(mean, mean, passed, reason)


def _why_none(weighted: Sequence[WeightedScore]) -> str:
    if not weighted:
        return "No overall score: no evaluator has a weight"
    silent = [score for score in weighted if score.normalised is None]
    told = "; ".join(f"{one.slot} ({one.outcome or 'errored'}): {one.error or 'no verdict'}" for one in silent)
    return f"No overall score, because not every evaluator with a weight gave one. {told}"


class OfSlot(Protocol):
    """A score as far as it matters for who speaks."""

    @property
    def slot(self) -> str: ...
    @property
    def status(self) -> ScoreStatus: ...
    @property
    def whole(self) -> bool: ...


S = TypeVar("S", bound=OfSlot)


def speakers(scores: Sequence[S]) -> list[S]:
    """Per slot the score that counts: a scored one before a failed one, a judge of the whole run
    before one of some items, a later judge before an earlier one. `scores` are in the order in
    which their revisions joined the run."""
    slots: dict[str, list[S]] = {}
    for score in scores:
        slots.setdefault(score.slot, []).append(score)
    return [
        of_slot[0]
        if len(of_slot) == 1
        else max(
            enumerate(of_slot),
            key=lambda found: (found[1].status == ScoreStatus.SCORED, found[1].whole, found[0]),
        )[1]
        for of_slot in slots.values()
    ]
