"""The ports of the transaction in which a run is changed (`RunStore.lead`), one per purpose.

Each handler names the port that it needs, for instance `Ledger[RunWork]`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from llmbench.contracts.base import Message
from llmbench.contracts.gate_words import GateVerdict
from llmbench.contracts.outcome import Citation
from llmbench.contracts.run_event import RunEvent
from llmbench.contracts.run_words import ItemStatus, RunPhase, TaskGateStatus
from orchestrator.kernel.domain.budget import Spending
from orchestrator.kernel.domain.limits import ALL_CASES, Limits
from orchestrator.kernel.domain.new_run import Idempotency, NewEvaluator
from orchestrator.kernel.domain.overall import WeightedScore
from orchestrator.kernel.domain.prompts import HadTurn
from orchestrator.kernel.domain.records import Group, Item, Run, Score, TaskGate
from orchestrator.runs.domain.panel import PanelVerdict
from orchestrator.runs.ports.overrulings import NewOverruling, OverrulingOut


@dataclass(frozen=True)
class RunEvaluator:
    """An evaluator revision that scores a run, or some of its items.

    `slot` is the evaluator's name in the run. `params` are its own parameters, without those of the judge's calls. A
    `panel` calls no judge itself; a `member` is in the run only as part of a panel. `primary` is true for the primary
    revision of a slot, whose scores count. If people corrected a judge's scores in this revision, `corrects` is the
    judge's revision. `embeds` is true if its model gives vectors and no verdicts.
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
    corrects: UUID | None = None
    embeds: bool = False
    scale: tuple[float, float] = (0.0, 1.0)
    pass_mark: float | None = None


@dataclass(frozen=True)
class Answer:
    """A stored answer with its full text. `citations` come from the called service (see
    `llmbench.contracts.outcome.Answered`); null for an answer that the client supplied."""

    text: str
    citations: tuple[Citation, ...] | None


@dataclass(frozen=True)
class StoredVerdict:
    """The verdict on a run. `gates` are the results of the single gates, as JSON (`DecidedGate`)."""

    verdict: GateVerdict
    passed: bool
    sentence: str
    gates: Sequence[Mapping[str, Any]]


class RunRecords(Protocol):
    """Reads and saves the run, its groups, items and scores. The run is locked, so that no other transaction changes
    them until this one ends."""

    run: Run
    groups: list[Group]

    async def items(self, ids: Sequence[UUID]) -> dict[UUID, Item]:
        """Return the items of the run by id. An id of another run is left out."""
        ...

    async def scores(self, ids: Sequence[UUID]) -> dict[UUID, Score]: ...

    async def scores_by_item(self, item_ids: Sequence[UUID]) -> dict[UUID, list[WeightedScore]]: ...

    async def answered_items(self) -> list[Item]:
        """Return the items that are COMPLETED or whose judging failed, ordered by position."""
        ...

    async def first_in_flight(self, group: Group) -> Item | None:
        """Return the item with the lowest position that is in flight or being judged in the group; `None` if there is
        none."""
        ...

    async def evaluators(self) -> list[RunEvaluator]:
        """Return the run's evaluator revisions, members of panels included, in the order in which they were added."""
        ...

    async def refresh_providers(self, groups: Sequence[Group]) -> list[Group]:
        """Store with each group the current settings of its provider. Return the groups whose provider was deleted."""
        ...

    async def save_items(self, items: Sequence[Item], now: datetime) -> None: ...

    async def save_scores(self, scores: Sequence[Score], now: datetime) -> None: ...

    async def save_panels(self, verdicts: Sequence[PanelVerdict], now: datetime) -> None: ...

    async def save_run_and_groups(self) -> None:
        """Save the changes of the run and its groups. Raises `ActiveRunExists` if the organisation would then have two
        active runs."""
        ...

    async def spending(self, now: datetime) -> Spending:
        """Return the cost of the organisation's calls in this month, and its budget."""
        ...

    async def publish(self, events: Sequence[RunEvent], commands: Sequence[Message]) -> None:
        """Number the events from `run.last_seq` + 1 on, append them to the run's log, and put events and commands into
        the outbox.

        Sets `run.last_seq` to the last number, so the caller has to save the run afterwards if there are events.
        """
        ...


class RunWork(RunRecords, Protocol):
    """Claims a run's due items and scores, and reads the data for their commands, such as earlier turns and answers."""

    async def claim_items(self, group_id: UUID, count: int, now: datetime) -> list[Item]:
        """Claim up to `count` due items of the group: set them IN_PROGRESS and increment their `dispatch`.

        Items that have not failed are claimed first, ordered by position; then those that have, by the time of their
        next attempt. A turn of a conversation is due when the turn before it is answered.
        """
        ...

    async def claim_scores(self, group_id: UUID, count: int, now: datetime) -> list[Score]: ...

    async def next_due(self, group: Group) -> datetime | None:
        """Return the earliest time at which an item or score of the group that failed and became NEW again may be
        retried; `None` if there is none."""
        ...

    async def new_items(self, group_id: UUID) -> list[Item]: ...

    async def new_scores(self, group_id: UUID) -> list[Score]: ...

    async def local_host(self, group: Group) -> str | None:
        """Return the name of the machine on which the group's model runs.

        `None` if the provider is hosted, or if the group calls no model. `UNKNOWN_HOST` if the address of the provider
        cannot be looked up.
        """
        ...

    async def is_host_busy(self, host: str) -> bool:
        """Return whether an active run of another organisation uses the machine `host`. If not, no such run can begin
        to use it before this transaction ends."""
        ...

    async def first_item(self, group_id: UUID) -> Item | None:
        """Return the group's item with the lowest position; `None` if the group has no items. The warm-up uses the
        sampling parameters of this item's target."""
        ...

    async def first_score(self, group_id: UUID) -> Score | None:
        """Return the group's first score that is NEW or IN_PROGRESS; `None` if there is none. The warm-up uses the
        sampling parameters of this score's judge."""
        ...

    async def create_scores(self) -> Mapping[UUID, int]:
        """Create the missing scores of all items in WAITING_FOR_JUDGE. Return the number of new scores per model group.

        Each evaluator revision of the run scores each such item, unless the evaluator's filters exclude the case.
        Revisions that were added later to score only some answers are left out. Scores of panels are not counted,
        because a panel has no model group.
        """
        ...

    async def unscored_items(self) -> list[Item]:
        """Return the items in WAITING_FOR_JUDGE that no evaluator scores. Only a run without evaluators has any."""
        ...

    async def turns_before(self, item_ids: Sequence[UUID], *, most: int) -> dict[UUID, list[HadTurn]]:
        """Return the earlier turns of each item's conversation that are answered, by item id, the oldest first. Only
        the last `most` turns before the item are searched. Items without such turns are left out."""
        ...

    async def turns_after(self, item_id: UUID) -> list[Item]:
        """Return the NEW turns that follow this turn in its conversation, ordered by position."""
        ...

    async def answers(self, items: Sequence[Item]) -> dict[UUID, Answer]:
        """Return the full answers of the items by item id. Unanswered items are left out."""
        ...


class TaskGates(RunRecords, Protocol):
    """Reads and saves the gates between the tasks of a suite run. A gate lets a target skip a task if the target's
    score in another task is too low."""

    async def task_gates(self, status: TaskGateStatus) -> list[TaskGate]:
        """Return the gates with this status between tasks of the run's suite."""
        ...

    async def items_of_tasks(self, target_id: UUID, tasks: Sequence[str], status: ItemStatus) -> list[Item]:
        """Return the target's items with this status in these tasks of the suite, ordered by position."""
        ...

    async def save_task_gates(self, gates: Sequence[TaskGate]) -> None: ...


class TaskGating(TaskGates, RunWork, Protocol):
    """Reads and creates the scores that decide the gates between the tasks of a suite run."""

    async def due_task_gates(self) -> list[TaskGate]:
        """Return the gates that are not decided yet, and now can be.

        A gate can be decided when no item of its gating task is NEW or IN_PROGRESS. In addition, each score of these
        items by an evaluator without a model must be SCORED or FAILED.
        """
        ...

    async def program_scores(self, gate: TaskGate) -> Mapping[UUID, Sequence[WeightedScore]]:
        """Return the scores that programs gave to the answers of the gating task, by item."""
        ...

    async def create_scores_of_items(self, item_ids: Sequence[UUID]) -> Mapping[UUID, int]:
        """Create the missing scores of these items, which have to be in WAITING_FOR_JUDGE. Return the number of new
        scores per model group. Evaluators are chosen, and scores counted, as in `create_scores`."""
        ...


class WorkInFlight(RunWork, Protocol):
    """Reads the work in flight, so that lost commands can be sent again."""

    async def items_in_flight(self, group_id: UUID, dispatched_before: datetime) -> list[Item]:
        """Return the group's items that were dispatched before `dispatched_before` and have not reported, ordered by
        position."""
        ...

    async def scores_in_flight(self, group_id: UUID, dispatched_before: datetime) -> list[Score]: ...

    async def unpublished(self) -> bool:
        """Return whether the outbox still holds messages of any run. Commands that seem lost may be among them."""
        ...


class Reopening(TaskGates, Protocol):
    """Reads the failed work of a finished run to retry it, and adds evaluators to the run."""

    async def failed_items(self, phase: RunPhase | None) -> list[Item]:
        """Return the items that failed in `phase`, ordered by position. If `phase` is null, every phase counts."""
        ...

    async def failed_scores(self, item_ids: Sequence[UUID] | None, *, slot: str | None = None) -> list[Score]:
        """Return the failed scores that can be retried. `item_ids` and `slot` (an evaluator's name in the run) restrict
        them; null means all items or all evaluators.

        For the slot of a panel, return the failed scores of its members, because a panel makes no calls.
        """
        ...

    async def add_evaluator(self, new: NewEvaluator, *, whole: bool) -> tuple[Group | None, UUID]:
        """Add the evaluator's revision and its model group to the run if they are missing. Return the group (`None` for
        a panel) and the revision's id.

        `whole` is true if the revision judges every answer of the run, not only some. Raises a 409 `Problem` if the
        judge's provider was deleted.
        """
        ...

    async def create_scores_of(self, revision_id: UUID, group: Group | None, item_ids: Sequence[UUID]) -> set[UUID]:
        """Create the missing scores that the revision gives to these items, if its evaluator applies to their cases.
        Return the ids of the items that got a new score."""
        ...

    async def reopen_panels(self, now: datetime) -> None:
        """Reset a panel's score of an item to NEW if a member's score of this item is NEW. The caller has to save the
        members' scores first."""
        ...

    async def remember_key(self, idempotency: Idempotency) -> None:
        """Store the key with the run. Raises `KeyTaken` if another request has stored the same key."""
        ...


class PrimaryRevisions(RunRecords, Protocol):
    """Reads and replaces the primary revision of each evaluator."""

    async def promotable(self) -> list[tuple[str, UUID]]:
        """Return each slot (an evaluator's name in the run) whose primary revision scored nothing, with the id of the
        revision that should replace it. Slots without a revision that scored are left out."""
        ...

    async def has_scored(self, revision_id: UUID) -> bool:
        """Return whether the revision scored at least one answer of the run."""
        ...

    async def promote(self, slot: str, revision_id: UUID) -> None:
        """Make the revision the primary one of its slot (an evaluator's name in the run), so that its scores count.
        Mark the run's statistics as outdated."""
        ...


class Overrulings(RunRecords, Protocol):
    """Reads and stores the scores that people give instead of a judge's."""

    async def overrulings_of(self, item_id: UUID) -> list[OverrulingOut]:
        """Return the overrulings of the item's scores, the newest first."""
        ...

    async def add_corrected(self, judge: RunEvaluator) -> bool:
        """Add a revision "corrected by people" to the run, and copy the judge's scores into it. Return `False` if the
        run already has this revision."""
        ...

    async def overrule(self, score_id: UUID, new: NewOverruling) -> None:
        """Store the overruling, and write its result into the score `score_id`, which belongs to the revision
        "corrected by people"."""
        ...


class Verdicts(RunRecords, Protocol):
    """Stores the verdict of the run's gates, which compare the run with a baseline."""

    async def save_verdict(self, verdict: StoredVerdict, now: datetime) -> None:
        """Store the verdict in place of an earlier verdict. It is valid until the run is reopened."""
        ...

    async def drop_verdict(self) -> None:
        """Remove the verdict on the run, if there is one."""
        ...


class RunTransaction(TaskGating, WorkInFlight, Reopening, PrimaryRevisions, Overrulings, Verdicts, Protocol):
    """Combines the ports of all purposes. `RunStore.lead` provides it."""
