"""What `/api/runs` takes and gives. States and rows are those of the events (llmbench.contracts)."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from llmbench.contracts.base import UtcTime
from llmbench.contracts.case import Case
from llmbench.contracts.chat import SamplingParams
from llmbench.contracts.item_changed import ItemRow
from llmbench.contracts.outcome import Timings, Usage
from llmbench.contracts.provider import ProviderType
from llmbench.contracts.run_event import RunEvent
from llmbench.contracts.run_progressed import CurrentWork
from llmbench.contracts.run_words import GroupStatus, RunOutcome, RunPhase, RunStatus, ScoreStatus

ModelName = Annotated[str, Field(min_length=1, max_length=255)]
Label = Annotated[str, Field(min_length=1, max_length=120)]


class Input(BaseModel):
    """Bodies refuse fields they do not know: a typing mistake must not be dropped in silence."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)


class JudgeChoice(Input):
    provider_id: UUID
    model: ModelName
    params: SamplingParams = Field(default_factory=lambda: SamplingParams(temperature=0, max_tokens=1024))


class TargetChoice(Input):
    """`label` tells two targets of one model apart; left out, it is the model's name."""

    provider_id: UUID
    model: ModelName
    label: Label | None = None
    params: SamplingParams = Field(default_factory=SamplingParams)


class CreateRun(Input):
    """Creates a run and starts it at once."""

    name: str | None = Field(default=None, min_length=1, max_length=255)
    judge: JudgeChoice
    targets: list[TargetChoice] = Field(min_length=1, max_length=100)
    collection_ids: list[UUID] = Field(min_length=1, max_length=100)
    concurrency: int = Field(default=1, ge=1, le=256, description="Calls in flight per model group.")
    timeout_s: float = Field(default=300, ge=1, le=86_400, description="Per model call.")
    max_attempts: int = Field(default=3, ge=1, le=10)
    max_backoff_s: float = Field(
        default=1800, ge=1, le=86_400, description="How long a provider may be unavailable before its group fails."
    )
    check_providers: bool = Field(
        default=True, description="Ask each provider for its models first, and refuse the run when one is missing."
    )


class TargetOut(BaseModel):
    id: UUID
    label: str
    provider_id: UUID
    provider_name: str
    model: str
    params: SamplingParams


class JudgeOut(BaseModel):
    provider_id: UUID
    provider_name: str
    model: str
    params: SamplingParams


class CollectionRef(BaseModel):
    id: UUID
    name: str


class RunCounts(BaseModel):
    """`answered` have an answer, `judged` are COMPLETED, `failed` are FAILED."""

    items: int
    answered: int
    judged: int
    failed: int


class RunSummary(BaseModel):
    id: UUID
    name: str
    status: RunStatus
    phase: RunPhase
    outcome: RunOutcome | None
    status_reason: str | None
    judge: JudgeOut
    targets: list[TargetOut]
    collections: list[CollectionRef]
    counts: RunCounts
    created_at: UtcTime
    started_at: UtcTime | None
    finished_at: UtcTime | None
    mean_score: float | None = Field(description="Mean of normalised scores, 0…1, over scored items.")


class RunPage(BaseModel):
    items: list[RunSummary]
    next_cursor: str | None


class GroupOut(BaseModel):
    id: UUID
    phase: RunPhase
    provider_id: UUID
    provider_name: str
    provider_type: ProviderType
    model: str
    status: GroupStatus
    concurrency: int
    total: int
    done: int
    failed: int
    backoff_until: UtcTime | None
    failure_reason: str | None


class TargetResult(BaseModel):
    """Aggregates of one target. Means are over the items that have the figure; `scored` is the
    denominator of `mean_score` and `pass_rate`. Scores are normalised to 0…1."""

    target_id: UUID
    label: str
    model: str
    items: int
    completed: int
    failed: int
    scored: int
    mean_score: float | None
    pass_rate: float | None
    mean_time_ms: float | None
    mean_first_token_ms: float | None
    mean_tokens_per_second: float | None
    completion_tokens: int


class EvaluatorOut(BaseModel):
    revision_id: UUID
    kind: str
    schema_name: str
    schema_version: str
    scale_min: float
    scale_max: float


class RunDetail(RunSummary):
    groups: list[GroupOut]
    evaluators: list[EvaluatorOut]
    results: list[TargetResult]
    current: CurrentWork | None
    last_seq: int


class ItemPage(BaseModel):
    items: list[ItemRow]
    next_cursor: str | None


class ScoreOut(BaseModel):
    id: UUID
    evaluator_revision_id: UUID
    kind: str
    status: ScoreStatus
    outcome: Literal["scored", "unparsed", "refused", "errored"] | None
    raw: float | None
    scale_min: float
    scale_max: float
    normalised: float | None
    passed: bool | None
    reason: str | None
    error: str | None
    attempts: int
    judge_prompt: str | None
    judge_reply: str | None


class ItemDetail(ItemRow):
    """An item whole: the row, the case, the request as sent, the answer, and every score."""

    run_id: UUID
    case: Case
    system_prompt: str | None
    answer: str | None
    usage: Usage | None
    timings: Timings | None
    scores: list[ScoreOut]


class RunEvents(BaseModel):
    """A page of events, ascending; `next_seq` starts the next page."""

    events: list[RunEvent]
    next_seq: int
    last_seq: int
