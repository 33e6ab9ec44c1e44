"""Define the records of a run and its parts, one per table row. Handlers change them by the events of `transitions`."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from llmbench.contracts.base import preview
from llmbench.contracts.case import Case
from llmbench.contracts.chat import SamplingParams
from llmbench.contracts.item_changed import ItemRow
from llmbench.contracts.item_failure import ItemFailure
from llmbench.contracts.outcome import AnswerKind, CallFigures
from llmbench.contracts.prompt import Prompt
from llmbench.contracts.provider import ProviderSnapshot
from llmbench.contracts.run_words import (
    GroupStatus,
    ItemStatus,
    RunOutcome,
    RunPhase,
    RunStatus,
    RunType,
    ScoreStatus,
    TaskGateStatus,
)
from orchestrator.kernel.domain.revision import EMBEDDINGS, JUDGE_ASKS, JUDGE_PARAMS
from orchestrator.kernel.domain.transitions import (
    GROUP,
    ITEM,
    RUN,
    SCORE,
    TASK_GATE,
    GroupMoves,
    ItemMoves,
    RunMoves,
    ScoreMoves,
    TaskGateMoves,
    after,
)

REASON_IN_ROW_BYTES = 500


@dataclass
class Run:
    """A run and its current state.

    `concurrent` is true if the run was created to run at the same time as the active run (see
    `evaluations.domain.placement`). When it is resumed or reopened, it becomes the active run. `last_seq` is the number
    (`run_seq`) of its last event. `gated` is true if the run has a subject, so its results are compared with baselines
    when it ends. `gate_due` is true if this comparison is still to come. `open_task_gates` counts the gates between the
    tasks of its suite that are not decided yet. `org_budget_usd` is the organisation's budget of a month; null for
    none. `org_closed` is true if an owner has closed the organisation.
    """

    id: UUID
    org_id: UUID
    name: str
    concurrent: bool
    status: RunStatus
    phase: RunPhase
    outcome: RunOutcome | None
    status_reason: str | None
    timeout_s: float
    max_attempts: int
    max_backoff_s: float
    max_conversation_history: int
    show_choices: bool
    parallel_groups: int
    item_count: int
    answered_count: int
    judged_count: int
    failed_count: int
    warnings: list[dict[str, Any]]
    max_cost_usd: float | None
    cost_usd: float
    unpriced_count: int
    last_seq: int
    traceparent: str | None
    started_at: datetime | None
    finished_at: datetime | None
    reopened_at: datetime | None = None
    took_s: float = 0.0
    gated: bool = False
    gate_due: bool = False
    skipped_count: int = 0
    open_task_gates: int = 0
    org_budget_usd: float | None = None
    org_closed: bool = False
    type: RunType = RunType.BENCHMARK

    def end(self, now: datetime) -> None:
        """Set the time of the run's end, and add the period of work that ends at `now` (pauses included) to `took_s`.
        The status does not change."""
        self.finished_at = now
        began = self.reopened_at or self.started_at
        if began is not None:
            self.took_s += max(0.0, (now - began).total_seconds())

    def move(self, event: RunMoves) -> None:
        self.status = after(RUN, self.status, event)

    def over_budget(self) -> bool:
        return self.max_cost_usd is not None and self.cost_usd >= self.max_cost_usd


@dataclass
class Lane:
    """The queue of a model group's calls. `token` is its name in NATS subjects."""

    provider: ProviderSnapshot
    model: str
    token: str

    def __str__(self) -> str:
        return f"{self.model} on {self.provider.name}"


BY_PROGRAM = "evaluators by program"


@dataclass
class Group:
    """A model group: the items or scores of a run whose calls go to the same model.

    `lane` is the queue of its calls. It is `None` for the group of scores that call no model; such a group needs
    neither warm-up nor release. `dispatch` counts the group's own calls (warm-ups, releases) and is part of their ids.
    `local_host` names the machine of a local provider. It is `None` for a hosted provider, and for a group without a
    model. It is looked up at each attempt to open the group, even if the group then has to wait.
    """

    id: UUID
    phase: RunPhase
    position: int
    lane: Lane | None
    concurrency: int
    releases: bool
    status: GroupStatus
    dispatch: int
    warm_up_attempts: int
    call_in_flight: bool
    local_host: str | None
    new_count: int
    in_flight_count: int
    done_count: int
    failed_count: int
    backoff_since: datetime | None
    backoff_until: datetime | None
    backoff_count: int
    backoff_reason: str | None
    suspect_id: UUID | None
    out_of_credit_reason: str | None
    failure_reason: str | None
    failure_cause: str | None
    opened_at: datetime | None
    closed_at: datetime | None

    def move(self, event: GroupMoves) -> None:
        self.status = after(GROUP, self.status, event)

    def open(self, now: datetime) -> None:
        """Open the group, so that its model warms up. A group without a model is ready at once."""
        self.move(GroupMoves.OPEN)
        self.opened_at = self.opened_at or now
        self.warm_up_attempts = 0
        self.call_in_flight = False
        if self.lane is None:
            self.move(GroupMoves.WARMED_UP)

    def name(self) -> str:
        return str(self.lane or BY_PROGRAM)

    def reopen(self) -> None:
        """Return a closed or failed group to WAITING, because it has work again, and clear its failure and back-off. A
        group in any other state stays as it is."""
        if self.status in (GroupStatus.CLOSED, GroupStatus.FAILED):
            self.move(GroupMoves.REOPEN)
            self.opened_at = self.closed_at = self.failure_reason = self.failure_cause = None
            self.forget_trouble()

    def slow_down(self, *, until: datetime, reason: str, now: datetime) -> bool:
        """Back off until the time `until`.

        Return `False` if the group is already backing off: several calls report the same outage, which counts once. The
        end of that back-off is then moved to `until`, if `until` is later.
        """
        if self.backoff_until is not None and self.backoff_until > now:
            self.backoff_until = max(self.backoff_until, until)
            return False
        self.backoff_since = self.backoff_since or now
        self.backoff_until = until
        self.backoff_count += 1
        self.backoff_reason = reason
        return True

    def recover(self) -> None:
        """End the back-off, because a call was answered."""
        self.backoff_since = None
        self.pass_check()

    def pass_check(self) -> None:
        """Record that the model answered a warm-up that was sent because requests had failed.

        The time of the first failure is kept, so that the group still fails if its model answers nothing but warm-ups.
        """
        self.suspect_id = self.backoff_until = self.backoff_reason = None
        self.backoff_count = 0

    def forget_trouble(self) -> None:
        """End the back-off and the wait for credit, because a person intervened or the group has new work."""
        self.recover()
        self.out_of_credit_reason = None


@dataclass
class Item:
    """One case to be answered for one target in one epoch.

    Either its model group calls the model, or the client has supplied the answer (`given_answer`).
    """

    id: UUID
    group_id: UUID | None
    given_answer: str | None
    target_id: UUID
    target_label: str
    model: str
    params: SamplingParams
    timeout_s: float
    max_attempts: int
    use_cache: bool
    position: int
    epoch: int
    case: Case
    status: ItemStatus
    dispatch: int
    attempts: int
    next_attempt_at: datetime | None
    call_id: UUID | None
    failure: ItemFailure | None
    figures: CallFigures
    answer_kind: AnswerKind | None
    score_revision_id: UUID | None
    score: float | None
    score_normalised: float | None
    passed: bool | None
    reason: str | None
    completed_at: datetime | None
    prompt: Prompt | None = None

    def move(self, event: ItemMoves) -> None:
        self.status = after(ITEM, self.status, event)

    def row(self) -> ItemRow:
        return ItemRow(
            id=self.id,
            position=self.position,
            task_id=self.case.task_id,
            category=self.case.category,
            subcategory=self.case.subcategory,
            target_id=self.target_id,
            target_label=self.target_label,
            model=self.model,
            epoch=self.epoch,
            status=self.status,
            attempts=self.attempts,
            score=self.score,
            score_normalised=self.score_normalised,
            passed=self.passed,
            reason=reason_in_row(self.reason),
            failure=self.failure,
            **vars(self.figures),
            answer_kind=self.answer_kind,
            score_revision_id=self.score_revision_id,
            conversation_id=self.case.conversation_id,
            turn=self.case.turn,
            suite_task=self.case.suite_task,
        )


def reason_in_row(reason: str | None) -> str | None:
    return preview(reason, REASON_IN_ROW_BYTES)[0] if reason else None


@dataclass
class Score:
    id: UUID
    item_id: UUID
    group_id: UUID
    evaluator_revision_id: UUID
    slot: str
    pass_threshold: float | None
    kind: str
    params: dict[str, Any]
    status: ScoreStatus
    dispatch: int
    attempts: int
    next_attempt_at: datetime | None = None
    outcome: str | None = None
    raw: float | None = None
    normalised: float | None = None
    passed: bool | None = None
    reason: str | None = None
    error: str | None = None
    error_cause: str | None = None
    details: dict[str, Any] = field(default_factory=dict)
    cost_usd: float | None = None
    call_ids: list[UUID] = field(default_factory=list)

    def move(self, event: ScoreMoves) -> None:
        self.status = after(SCORE, self.status, event)

    def judge_params(self) -> SamplingParams:
        """Return the sampling parameters of the score's judge; the score has to have a judge. They are part of the
        revision's identity: with another temperature, the judge belongs to another revision."""
        return SamplingParams.model_validate(self.params[JUDGE_PARAMS])

    @property
    def embeds(self) -> bool:
        """Return whether the judge is an embedding model, which is called for vectors."""
        return self.params.get(JUDGE_ASKS) == EMBEDDINGS


@dataclass
class TaskGate:
    """A gate between two tasks of a suite run, for one target: `task` is asked if `gating_task` scores high enough.

    `holds` are the tasks that wait for the decision: `task`, and all that depend on it. The items of the gating task
    have the positions from `first_position` to `last_position`. The gate is decided by `score`, the mean score of the
    gating task, which is computed from `scored` answers.
    """

    target_id: UUID
    target_label: str
    task: str
    gating_task: str
    min_score: float
    holds: tuple[str, ...]
    first_position: int
    last_position: int
    status: TaskGateStatus
    score: float | None = None
    scored: int = 0
    decided_at: datetime | None = None

    def move(self, event: TaskGateMoves) -> None:
        self.status = after(TASK_GATE, self.status, event)
