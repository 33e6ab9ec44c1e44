"""What the handlers need of the database: a run under its lock, in one transaction."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from llmbench.contracts.base import Message
from llmbench.contracts.outcome import Citation
from llmbench.contracts.run_event import RunEvent
from llmbench.contracts.run_words import RunPhase
from orchestrator.domain.limits import ALL_CASES, Limits
from orchestrator.domain.new_run import Idempotency, NewEvaluator
from orchestrator.domain.overall import WeightedScore
from orchestrator.domain.panel import PanelVerdict
from orchestrator.domain.prompts import HadTurn
from orchestrator.domain.records import Group, Item, Run, Score
from orchestrator.ports.lanes import OnNats


class ActiveRunExists(Exception):
    """Another run is RUNNING or PAUSING already."""


class KeyTaken(Exception):
    """Another request with the same Idempotency-Key was committed first."""


@dataclass(frozen=True)
class RunEvaluator:
    """A revision that scores (some of) a run; `params` are the evaluator's own. A panel asks no judge itself; `member`:
    it is there for a panel's sake only."""

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
    limits: Limits = ALL_CASES


@dataclass(frozen=True)
class Answer:
    """`citations` as `llmbench.contracts.outcome.Answered` has them."""

    text: str
    citations: tuple[Citation, ...] | None


class RunTransaction(Protocol):
    """One transaction that leads one run; nobody else leads it meanwhile."""

    run: Run
    groups: list[Group]

    async def items(self, ids: Sequence[UUID]) -> dict[UUID, Item]: ...

    async def scores(self, ids: Sequence[UUID]) -> dict[UUID, Score]: ...

    async def scores_by_item(self, item_ids: Sequence[UUID]) -> dict[UUID, list[WeightedScore]]: ...

    async def claim_items(self, group_id: UUID, count: int, now: datetime) -> list[Item]:
        """The next `count` items that are due, by position: IN_PROGRESS, `dispatch` + 1. A turn of a conversation
        is due when the one before it is answered."""
        ...

    async def turns_before(self, item_ids: Sequence[UUID], *, most: int) -> dict[UUID, list[HadTurn]]:
        """Of each turn of a conversation the last `most` before it, in their order."""
        ...

    async def turns_after(self, item_id: UUID) -> list[Item]:
        """The NEW ones of its conversation, in their order."""
        ...

    async def claim_scores(self, group_id: UUID, count: int, now: datetime) -> list[Score]: ...

    async def next_due(self, group: Group) -> datetime | None:
        """When the first of the group's NEW work may be tried again."""
        ...

    async def new_items(self, group_id: UUID) -> list[Item]: ...

    async def new_scores(self, group_id: UUID) -> list[Score]: ...

    async def items_in_flight(self, group_id: UUID, dispatched_before: datetime) -> list[Item]:
        """By position."""
        ...

    async def scores_in_flight(self, group_id: UUID, dispatched_before: datetime) -> list[Score]: ...

    async def unpublished(self) -> bool:
        """Whether the outbox still holds messages: what is missing on NATS may be among them."""
        ...

    async def first_in_flight(self, group: Group) -> Item | None:
        """The item at whose call (or judging) the group is busy."""
        ...

    async def create_scores(self) -> Mapping[UUID, int]:
        """One NEW score for each item that waits for the judge and each evaluator of the run;
        how many per judge group."""
        ...

    async def first_item(self, group_id: UUID) -> Item | None:
        """The group's item of lowest position: its target's options are warmed up with."""
        ...

    async def first_score(self, group_id: UUID) -> Score | None:
        """Of the group's scores that are to come, the first: its judge's options are warmed up with."""
        ...

    async def failed_items(self, phase: RunPhase | None) -> list[Item]:
        """Those that failed in `phase`, or in either; by position."""
        ...

    async def answered_items(self) -> list[Item]:
        """Those that are judged, or whose judging failed; by position."""
        ...

    async def failed_scores(self, item_ids: Sequence[UUID] | None, *, slot: str | None = None) -> list[Score]:
        """Of these items or of all; of one evaluator or of all. Of a panel, its members'."""
        ...

    async def evaluators(self) -> list[RunEvaluator]:
        """The run's, in the order in which they joined it."""
        ...

    async def add_evaluator(self, new: NewEvaluator, *, whole: bool) -> tuple[Group | None, UUID]:
        """The evaluator's group and revision, both made unless the run has them. A panel has no group."""
        ...

    async def create_scores_of(self, revision_id: UUID, group: Group | None, item_ids: Sequence[UUID]) -> set[UUID]:
        """NEW scores for those items that have none of the revision; returns those items."""
        ...

    async def save_panels(self, verdicts: Sequence[PanelVerdict], now: datetime) -> None: ...

    async def reopen_panels(self, now: datetime) -> None:
        """The run's panels wait again where a member's score is NEW. Expects the scores saved."""
        ...

    async def refresh_providers(self, groups: Sequence[Group]) -> None:
        """Snapshot the groups' providers anew."""
        ...

    async def remember_key(self, idempotency: Idempotency) -> None:
        """Raises `KeyTaken`."""
        ...

    async def answers(self, items: Sequence[Item]) -> dict[UUID, Answer]:
        """Of answered items the whole answers, by item."""
        ...

    async def save_items(self, items: Sequence[Item], now: datetime) -> None: ...

    async def save_scores(self, scores: Sequence[Score], now: datetime) -> None: ...

    async def save_run_and_groups(self) -> None:
        """Raises `ActiveRunExists` when the run became active beside another."""
        ...

    async def tell(self, events: Sequence[RunEvent], commands: Sequence[Message]) -> None:
        """Number the events from `run.last_seq` on, append them to the run's log, and put both into the outbox. Expects
        the run to be saved afterwards where there are events."""
        ...


@dataclass(frozen=True)
class Deleted:
    """What a deleted run leaves on NATS: lanes that no other run uses."""

    lane_tokens: Sequence[str]


class RunStore(Protocol):
    async def delete(self, run_id: UUID) -> Deleted | None:
        """The run and everything of it; `None` when there is none. Raises a 409 `Problem` while it
        is active."""
        ...

    async def next_queued(self) -> UUID | None:
        """The run that has been queued for longest; `None` also while a run is active."""
        ...

    async def lane_in_use(self, group: Group, *, besides: UUID) -> bool:
        """Whether another active run has the group's lane open."""
        ...

    async def needed(self, found: OnNats) -> OnNats:
        """Of what was found on NATS, what belongs to runs that are not over."""
        ...

    def lead(self, run_id: UUID) -> AbstractAsyncContextManager[RunTransaction | None]:
        """Lock the run and load it; `None` when there is none. Commits on a clean exit."""
        ...
