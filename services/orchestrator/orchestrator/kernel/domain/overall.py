"""Derive an item's next state, its failure and its overall score from its scores.

The scores of one slot answer the same question, each by another evaluator revision, for example with another judge. The
score of the primary revision counts. If that revision has no score, another revision's score counts instead. Scores of
several revisions are never averaged.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar
from uuid import UUID

from llmbench.contracts.item_failure import ItemFailure
from llmbench.contracts.run_words import ItemStatus, RunPhase, ScoreStatus
from llmbench.thresholds import tidy
from orchestrator.kernel.domain.transitions import ItemMoves


@dataclass(frozen=True)
class WeightedScore:
    """A score of an item, with the properties that decide how it counts.

    `primary` is true if the score's revision is the primary one, from which the run's statistics are computed. `whole`
    is true if the revision scores every answered item of the run. A panel has `members`, of which `quorum` have to give
    a score. `member` is true if the revision is in the run only as part of a panel, and counts through the panel.
    `pass_mark` is the evaluator's own threshold, used if the run has no `pass_threshold`. `corrects` is the judge's
    revision if the score belongs to a revision in which people corrected that judge's scores.
    """

    id: UUID
    status: ScoreStatus
    weight: float
    required: bool
    revision_id: UUID
    slot: str = "rubric"
    primary: bool = True
    whole: bool = True
    outcome: str | None = None
    raw: float | None = None
    normalised: float | None = None
    passed: bool | None = None
    reason: str | None = None
    error: str | None = None
    error_cause: str | None = None
    judge_model: str | None = None
    pass_threshold: float | None = None
    pass_mark: float | None = None
    members: tuple[UUID, ...] = ()
    quorum: int = 0
    member: bool = False
    corrects: UUID | None = None


OWN_DOING: Final = ("refused", "malformed")
"""The kinds of failures that the model itself causes: it was called, but refused or gave a malformed answer."""


def failed_by_itself(failure: ItemFailure) -> bool:
    """Return whether the answer is missing because the model refused or gave a malformed one.

    A comparison counts such an answer as 0. Later turns of the conversation, which were therefore not asked, also count
    as 0. Their failures have another kind, so this function returns `False` for them.
    """
    return failure.phase == RunPhase.BENCHMARKING and failure.kind in OWN_DOING


@dataclass(frozen=True)
class Overall:
    """The overall score of an item.

    With one weighted evaluator, `raw` is on its scale and `revision_id` is its revision. With several, `raw` is on 0…1
    and `revision_id` is null.

    `passed` requires every existing verdict to pass, also verdicts of evaluators without weight; it is null without a
    verdict. `reason` is copied from the first failing score, else from the first score with a weight. It begins with
    the evaluator's name if several evaluators scored the item.

    Without an overall score, all fields are null except `reason`, which says why.
    """

    raw: float | None = None
    normalised: float | None = None
    passed: bool | None = None
    reason: str | None = None
    revision_id: UUID | None = None


def next_move(status: ItemStatus, scores: Sequence[WeightedScore]) -> ItemMoves | None:
    """Return the event that brings the item to its next state; `None` if it stays in its state.

    Only an answered item with scores can change. It is JUDGING while a score is IN_PROGRESS, and WAITING_FOR_JUDGE
    while a score is NEW. When every score is SCORED or FAILED, the item is COMPLETED if every required evaluator gave a
    score, else FAILED.
    """
    if status not in (ItemStatus.WAITING_FOR_JUDGE, ItemStatus.JUDGING) or not scores:
        return None
    states = {score.status for score in scores}
    if ScoreStatus.IN_PROGRESS in states:
        return ItemMoves.JUDGE if status == ItemStatus.WAITING_FOR_JUDGE else None
    if ScoreStatus.NEW in states:
        return ItemMoves.PUT_BACK if status == ItemStatus.JUDGING else None
    scored = all(score.status == ScoreStatus.SCORED for score in deciding_scores(scores) if score.required)
    return ItemMoves.COMPLETE if scored else ItemMoves.GIVE_UP


def failure_of(scores: Sequence[WeightedScore]) -> ItemFailure:
    """Return the failure of the item: the failure of its first required score that failed. At least one required
    score must have failed."""
    missing = next(score for score in deciding_scores(scores) if score.required and score.status == ScoreStatus.FAILED)
    return ItemFailure(
        phase=RunPhase.JUDGING,
        kind=missing.outcome or "errored",
        message=missing.error or "the judge gave no verdict",
        retryable=True,
        cause=missing.error_cause,
    )


def overall(scores: Sequence[WeightedScore]) -> Overall:
    """Return the item's overall score: the weighted mean over its slots (the names of the run's evaluators).

    The mean is null if no slot has a weight, or if any slot with a weight has no score, even an optional one. A mean
    over fewer evaluators would be another measure. The members of a panel count only through the panel's score.
    """
    deciding = deciding_scores([score for score in scores if not score.member])
    weighted = [score for score in deciding if score.weight > 0]
    values = [(score.weight, score.normalised) for score in weighted if score.normalised is not None]
    if not weighted or len(values) < len(weighted):
        return Overall(reason=_why_none(weighted))
    verdicts = [score.passed for score in deciding if score.passed is not None]
    passed = all(verdicts) if verdicts else None
    decisive = next((score for score in deciding if score.passed is False), weighted[0])
    reason = decisive.reason if len(deciding) == 1 else f"{decisive.slot}: {decisive.reason or ''}"
    if len(weighted) == 1:
        only = weighted[0]
        return Overall(only.raw, only.normalised, passed, reason, only.revision_id)
    mean = tidy(sum(weight * value for weight, value in values) / sum(weight for weight, _ in values))
    return Overall(mean, mean, passed, reason)


def _why_none(weighted: Sequence[WeightedScore]) -> str:
    if not weighted:
        return "No overall score: no evaluator has a weight"
    silent = [score for score in weighted if score.normalised is None]
    reasons = "; ".join(
        f"{score.slot} ({score.outcome or 'errored'}): {score.error or 'no verdict'}" for score in silent
    )
    return f"No overall score, because not every evaluator with a weight gave one. {reasons}"


class SlotScore(Protocol):
    """The properties of a score that decide whether it counts for its slot, the name of its evaluator in the run."""

    @property
    def slot(self) -> str: ...
    @property
    def status(self) -> ScoreStatus: ...
    @property
    def primary(self) -> bool: ...
    @property
    def whole(self) -> bool: ...
    @property
    def corrects(self) -> UUID | None: ...


S = TypeVar("S", bound=SlotScore)


def deciding_scores(scores: Sequence[S]) -> list[S]:
    """Return the scores of one item that count: one for each slot, an evaluator's name in the run.

    A slot has one score per evaluator revision. Preferred are, in this order:

    1. a successful score,
    2. the score of the primary revision,
    3. the score of a judge, not of a revision in which people corrected a judge,
    4. the score of a revision that scores every answered item of the run,
    5. the score of the revision that joined the run last; `scores` are in the order in which they joined.
    """
    slots: dict[str, list[S]] = {}
    for score in scores:
        slots.setdefault(score.slot, []).append(score)
    return [
        of_slot[0]
        if len(of_slot) == 1
        else max(
            enumerate(of_slot),
            key=lambda placed: (
                placed[1].status == ScoreStatus.SCORED,
                placed[1].primary,
                placed[1].corrects is None,
                placed[1].whole,
                placed[0],
            ),
        )[1]
        for of_slot in slots.values()
    ]
