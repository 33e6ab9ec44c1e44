"""A run and its parts as the handlers hold them: rows of the tables, moved by the transitions."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from llmbench.contracts.base import preview
from llmbench.contracts.case import Case
from llmbench.contracts.chat import SamplingParams
from llmbench.contracts.item_changed import ItemRow
from llmbench.contracts.item_failure import ItemFailure
from llmbench.contracts.outcome import AnswerKind
from llmbench.contracts.provider import ProviderSnapshot
from llmbench.contracts.run_words import GroupStatus, ItemStatus, RunOutcome, RunPhase, RunStatus, ScoreStatus
from orchestrator.domain.advance import PREFETCH, GroupView, RunView
from orchestrator.domain.revision import EMBEDDINGS, JUDGE_ASKS, JUDGE_PARAMS
from orchestrator.domain.transitions import (
    GROUP,
    ITEM,
    RUN,
    SCORE,
    GroupMoves,
    ItemMoves,
    RunMoves,
    ScoreMoves,
    after,
)

REASON_IN_ROW_BYTES = 500


@dataclass
class Run:
    """`beside`: it was created to run beside the active run, see `placement`. What goes on later takes its place.
    `last_seq`: the number of its last event."""

    id: UUID
    org_id: UUID
    name: str
    beside: bool
    status: RunStatus
    phase: RunPhase
    outcome: RunOutcome | None
    status_reason: str | None
    timeout_s: float
    max_attempts: int
    max_backoff_s: float
    max_conversation_history: int
    show_choices: bool
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

    def move(self, event: RunMoves) -> None:
        self.status = after(RUN, self.status, event)

    def over_budget(self) -> bool:
        return self.max_cost_usd is not None and self.cost_usd >= self.max_cost_usd


@dataclass
class Lane:
    """Where a model group's calls go."""

    provider: ProviderSnapshot
    model: str
    token: str

    def __str__(self) -> str:
        return f"{self.model} on {self.provider.name}"


BY_PROGRAM = "evaluators by program"


@dataclass
class Group:
    """`lane` is null in the group of the scores that ask no model: there is nothing to warm up or to
    release. `dispatch` names the group's own calls (warm-up, release) as an item's names its."""

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
    new_count: int
    in_flight_count: int
    done_count: int
    failed_count: int
    backoff_since: datetime | None
    backoff_until: datetime | None
    backoff_count: int
    backoff_reason: str | None
    failure_reason: str | None
    opened_at: datetime | None
    closed_at: datetime | None

    def move(self, event: GroupMoves) -> None:
        self.status = after(GROUP, self.status, event)

    def open(self, now: datetime) -> None:
        """Its model is to be warmed up, if it has one."""
        self.move(GroupMoves.OPEN)
        self.opened_at = self.opened_at or now
        self.warm_up_attempts = 0
        self.call_in_flight = False
        if self.lane is None:
            self.move(GroupMoves.WARMED_UP)

    def name(self) -> str:
        return str(self.lane or BY_PROGRAM)

    def reopen(self) -> None:
        """There is work for it again: as if it had never been opened."""
        if self.status in (GroupStatus.CLOSED, GroupStatus.FAILED):
            self.move(GroupMoves.REOPEN)
            self.opened_at = self.closed_at = self.failure_reason = None
            self.recover()

    def slow_down(self, *, until: datetime, reason: str, now: datetime) -> bool:
        """Back off until then; `False` when several calls report the same trouble and the group
        already waits, so that one outage counts once."""
        if self.backoff_until is not None and self.backoff_until > now:
            self.backoff_until = max(self.backoff_until, until)
            return False
        self.backoff_since = self.backoff_since or now
        self.backoff_until = until
        self.backoff_count += 1
        self.backoff_reason = reason
        return True

    def recover(self) -> None:
        """A call was answered: the trouble is over."""
        self.backoff_since = self.backoff_until = self.backoff_reason = None
        self.backoff_count = 0

    def view(self) -> GroupView:
        return GroupView(
            id=self.id,
            phase=self.phase,
            position=self.position,
            status=self.status,
            concurrency=self.concurrency,
            new=self.new_count,
            in_flight=self.in_flight_count,
            opened=self.opened_at is not None,
            releases=self.releases,
            call_in_flight=self.call_in_flight,
            backoff_until=self.backoff_until,
        )


@dataclass
class Item:
    """Either its group's calls answer it, or the answer was given with the item; then nobody is called for it."""

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
    time_ms: int | None
    first_token_ms: int | None
    first_content_ms: int | None
    prompt_tokens: int | None
    completion_tokens: int | None
    reasoning_tokens: int | None
    usage_source: str | None
    tokens_per_second: float | None
    finish_reason: str | None
    answer_kind: AnswerKind | None
    cost_usd: float | None
    cached: bool
    score_revision_id: UUID | None
    score: float | None
    score_normalised: float | None
    passed: bool | None
    reason: str | None
    completed_at: datetime | None

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
            time_ms=self.time_ms,
            first_token_ms=self.first_token_ms,
            first_content_ms=self.first_content_ms,
            prompt_tokens=self.prompt_tokens,
            completion_tokens=self.completion_tokens,
            reasoning_tokens=self.reasoning_tokens,
            usage_source=self.usage_source,
            tokens_per_second=self.tokens_per_second,
            finish_reason=self.finish_reason,
            answer_kind=self.answer_kind,
            cost_usd=self.cost_usd,
            cached=self.cached,
            score_revision_id=self.score_revision_id,
            conversation_id=self.case.conversation_id,
            turn=self.case.turn,
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
    details: dict[str, Any] = field(default_factory=dict)
    cost_usd: float | None = None
    call_ids: list[UUID] = field(default_factory=list)

    def move(self, event: ScoreMoves) -> None:
        self.status = after(SCORE, self.status, event)

    def judge_params(self) -> SamplingParams:
        """Part of the revision's identity: another temperature is another judge."""
        return SamplingParams.model_validate(self.params[JUDGE_PARAMS])

    @property
    def embeds(self) -> bool:
        """Whether its judge is asked for vectors."""
        return self.params.get(JUDGE_ASKS) == EMBEDDINGS


def run_view(run: Run, groups: list[Group], prefetch: int = PREFETCH) -> RunView:
    return RunView(
        status=run.status,
        phase=run.phase,
        items=run.item_count,
        completed=run.judged_count,
        groups=[group.view() for group in groups],
        prefetch=prefetch,
    )
