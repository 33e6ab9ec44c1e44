"""The ports of the transaction that leads a run, split by purpose. A handler asks for the part that it needs
(`Ledger[RunWork]`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from llmbench.contracts.base import Message
from llmbench.contracts.outcome import Citation
from llmbench.contracts.run_event import RunEvent
from llmbench.contracts.run_words import RunPhase
from orchestrator.kernel.domain.limits import ALL_CASES, Limits
from orchestrator.kernel.domain.new_run import Idempotency, NewEvaluator
from orchestrator.kernel.domain.overall import WeightedScore
from orchestrator.kernel.domain.prompts import HadTurn
from orchestrator.kernel.domain.records import Group, Item, Run, Score
from orchestrator.runs.domain.panel import PanelVerdict


@dataclass(frozen=True)
class RunEvaluator:
    """An evaluator revision that scores a run, or some of its items. `params` are the evaluator's own, without the
    judge's.

    A panel calls no judge itself; a `member` is in the run only as part of a panel. `primary`: it is the primary
    revision of its slot.
    """

    revision_id: UUID
    slot: str
    identity: str
    kind: str
    params: dict[str, Any]
    asks_judge: bool
    weight: float
    required: bool
    pass_threshold: float | None
    panel: bool
    member: bool
    primary: bool = False
    judge_model: str | None = None
    limits: Limits = ALL_CASES


@dataclass(frozen=True)
class Answer:
    """A stored answer; for `citations` see `llmbench.contracts.outcome.Answered`."""

    text: str
    citations: tuple[Citation, ...] | None


class RunRecords(Protocol):
    """The run, its groups, items and scores. They are locked against other changes until the transaction ends."""

    run: Run
    groups: list[Group]

    async def items(self, ids: Sequence[UUID]) -> dict[UUID, Item]: ...

    async def scores(self, ids: Sequence[UUID]) -> dict[UUID, Score]: ...

    async def scores_by_item(self, item_ids: Sequence[UUID]) -> dict[UUID, list[WeightedScore]]: ...

    async def answered_items(self) -> list[Item]:
        """Return the items that are COMPLETED or whose judging failed, ordered by position."""
        ...

    async def first_in_flight(self, group: Group) -> Item | None:
        """Return the item with the lowest position that is in flight or being judged in the group."""
        ...

    async def evaluators(self) -> list[RunEvaluator]:
        """Return the run's evaluators in the order in which they joined it."""
        ...

    async def refresh_providers(self, groups: Sequence[Group]) -> list[Group]:
        """Update the groups' snapshots of their providers. Return the groups whose provider is gone."""
        ...

    async def save_items(self, items: Sequence[Item], now: datetime) -> None: ...

    async def save_scores(self, scores: Sequence[Score], now: datetime) -> None: ...

    async def save_panels(self, verdicts: Sequence[PanelVerdict], now: datetime) -> None: ...

    async def save_run_and_groups(self) -> None:
        """Save the run and its groups. Raises `ActiveRunExists` if another run is active."""
        ...

    async def tell(self, events: Sequence[RunEvent], commands: Sequence[Message]) -> None:
        """Number the events from `run.last_seq` + 1 on, append them to the run's log, and put events and messages into
        the outbox.

        With events, the caller has to save the run afterwards.
        """
        ...


class RunWork(RunRecords, Protocol):
    """Port that claims a run's due items and scores, and reads what their commands need: earlier turns and answers."""

    async def claim_items(self, group_id: UUID, count: int, now: datetime) -> list[Item]:
        """Claim the next `count` due items in the order of position: set IN_PROGRESS and increment `dispatch`.

        Items that failed before come last. A turn of a conversation is due when the turn before it is answered.
        """
        ...

    async def claim_scores(self, group_id: UUID, count: int, now: datetime) -> list[Score]: ...

    async def next_due(self, group: Group) -> datetime | None:
        """Return the earliest time at which NEW work of the group may be retried."""
        ...

    async def new_items(self, group_id: UUID) -> list[Item]: ...

    async def new_scores(self, group_id: UUID) -> list[Score]: ...

    async def first_item(self, group_id: UUID) -> Item | None:
        """Return the group's item with the lowest position: the warm-up uses the options of its target."""
        ...

    async def first_score(self, group_id: UUID) -> Score | None:
        """Return the group's first score that is not over: the warm-up uses the options of its judge."""
        ...

    async def create_scores(self) -> Mapping[UUID, int]:
        """Create the missing scores of all items that wait for the judge, for every evaluator revision that applies to
        the entire run.

        Return the number of new scores per model group.
        """
        ...

    async def turns_before(self, item_ids: Sequence[UUID], *, most: int) -> dict[UUID, list[HadTurn]]:
        """Return, for each of these turns, the last `most` turns before it, in their order."""
        ...

    async def turns_after(self, item_id: UUID) -> list[Item]:
        """Return the NEW turns of the same conversation after this one, in their order."""
        ...

    async def answers(self, items: Sequence[Item]) -> dict[UUID, Answer]:
        """Return the full answers by item id. Unanswered items are left out."""
        ...


class WorkInFlight(RunWork, Protocol):
    """The work in flight, for sending lost commands again."""

    async def items_in_flight(self, group_id: UUID, dispatched_before: datetime) -> list[Item]:
        """Return the group's items that were dispatched before `dispatched_before` and have not reported, ordered by
        position."""
        ...

    async def scores_in_flight(self, group_id: UUID, dispatched_before: datetime) -> list[Score]: ...

    async def unpublished(self) -> bool:
        """Return whether the outbox still holds messages of the run. Commands that seem lost may be among them."""
        ...


class Reopening(RunRecords, Protocol):
    """The failed work of a finished run, and the evaluators to add."""

    async def failed_items(self, phase: RunPhase | None) -> list[Item]:
        """Return the items that failed in `phase`, or in any phase, ordered by position."""
        ...

    async def failed_scores(self, item_ids: Sequence[UUID] | None, *, slot: str | None = None) -> list[Score]:
        """Return the failed scores that can be retried, optionally only those of these items, or of one evaluator
        (`slot`).

        For a panel, these are the failed scores of its members.
        """
        ...

    async def add_evaluator(self, new: NewEvaluator, *, whole: bool) -> tuple[Group | None, UUID]:
        """Add the evaluator's group and revision to the run if they are missing, and return them. A panel has no
        group."""
        ...

    async def create_scores_of(self, revision_id: UUID, group: Group | None, item_ids: Sequence[UUID]) -> set[UUID]:
        """Create NEW scores for those of the items that have no score by the revision. Return the ids of these
        items."""
        ...

    async def reopen_panels(self, now: datetime) -> None:
        """Reset the score of each panel of which a member's score is NEW. The caller has to save the scores first."""
        ...

    async def remember_key(self, idempotency: Idempotency) -> None:
        """Store the key with the run. Raises `KeyTaken`."""
        ...


class PrimaryRevisions(RunRecords, Protocol):
    """The primary revision of each evaluator, and the candidates to replace it."""

    async def promotable(self) -> list[tuple[str, UUID]]:
        """Return the slots whose primary revision scored nothing, each with the revision that should replace it."""
        ...

    async def has_scored(self, revision_id: UUID) -> bool:
        """Return whether the revision scored an answer of the run."""
        ...

    async def promote(self, slot: str, revision_id: UUID) -> None:
        """Make the revision the primary one of its slot. The run's statistics are computed again."""
        ...


class RunTransaction(WorkInFlight, Reopening, PrimaryRevisions, Protocol):
    """The complete port of the transaction that leads a run."""
