"""What the endpoints and exports need to read."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal, NamedTuple, Protocol
from uuid import UUID

from pydantic import Field

from llmbench.contracts.read_run_events import RunEventPage
from llmbench.contracts.run_words import ItemStatus, RunPhase, RunStatus, RunType, ScoreStatus
from orchestrator.domain.records import Item
from orchestrator.ports.item_schemas import ItemDetail, ItemOut, ItemScore, extraction_of
from orchestrator.ports.schemas import RunDetail, RunDistribution, RunLog, RunSummary


class ExportScore(ItemScore):
    """`details` are what its evaluator says beside the score; `time_ms` is what the calls for it took, null where it
    asked no model. The formats that follow a document of their own read these three; rows go without them."""

    reason: str | None
    error: str | None
    kind: str = Field(default="rubric", exclude=True)
    details: dict[str, Any] = Field(default_factory=dict, exclude=True)
    time_ms: float | None = Field(default=None, exclude=True)

    @property
    def extraction(self) -> dict[str, Any] | None:
        """What its evaluator read, as rows have it."""
        return self.details.get("extraction")


@dataclass(frozen=True)
class ExportLine:
    """One item as the exports write it. `url` is where it was asked, or would have been; the times are those of the
    call that answered it."""

    item: Item
    answer: str | None
    reasoning: str | None = None
    scores: Sequence[ExportScore] = ()
    url: str = ""
    started_at: datetime | None = None
    finished_at: datetime | None = None


class PlainScore(NamedTuple):
    """One evaluator revision's score of an item, as rows have it."""

    item_id: UUID
    slot: str
    evaluator_revision_id: UUID
    judge_model: str | None
    whole: bool
    status: ScoreStatus
    outcome: Literal["scored", "unparsed", "refused", "errored"] | None
    raw: float | None
    normalised: float | None
    passed: bool | None
    reason: str | None
    error: str | None
    extraction: dict[str, Any] | None

    def extracted(self) -> dict[str, str | None] | None:
        """What the evaluator read from the answer and from the reference, and by which rules."""
        found = extraction_of({"extraction": self.extraction})
        return found.model_dump() if found else None


class ExportRow(NamedTuple):
    """One item as formats of columns write it: its values as they are stored, of the columns that were asked for, and
    its scores in the order in which their evaluators joined the run."""

    values: Sequence[Any]
    scores: Sequence[PlainScore]


@dataclass(frozen=True)
class RunFilter:
    """What is empty chooses everything. A run has all of `tags`; `text` is in name or description."""

    statuses: Sequence[RunStatus] = ()
    created_from: datetime | None = None
    created_before: datetime | None = None
    tags: Sequence[str] = ()
    types: Sequence[RunType] = ()
    text: str | None = None


class SortKey(StrEnum):
    """What items can be sorted by; `position` is the order in which they run."""

    POSITION = "position"
    TASK_ID = "task_id"
    CATEGORY = "category"
    TARGET = "target"
    STATUS = "status"
    SCORE = "score"
    TIME_MS = "time_ms"
    FIRST_TOKEN_MS = "first_token_ms"  # noqa: S105  # a word of the API
    TOKENS_PER_SECOND = "tokens_per_second"
    COMPLETION_TOKENS = "completion_tokens"
    COST_USD = "cost_usd"


@dataclass(frozen=True)
class ItemFilter:
    """What is empty chooses everything. `text` is in the task's id, the question, the answer or the
    judge's reason. Scores are raw: with `evaluator` its own, on its scale, else the overall ones;
    `passed` likewise. `outcomes` are of `evaluator`'s scores, or of any."""

    statuses: Sequence[ItemStatus] = ()
    target_ids: Sequence[UUID] = ()
    models: Sequence[str] = ()
    categories: Sequence[str] = ()
    task_id: str | None = None
    conversation_id: str | None = None
    failure_kinds: Sequence[str] = ()
    failure_phase: RunPhase | None = None
    score_min: float | None = None
    score_max: float | None = None
    passed: bool | None = None
    evaluator: str | None = None
    outcomes: Sequence[str] = ()
    cached: bool | None = None
    cut: bool | None = None
    finish_reasons: Sequence[str] = ()
    answer_kinds: Sequence[str] = ()
    text: str | None = None


@dataclass(frozen=True)
class ItemPlace:
    """The last row of a page: its value of the sort key, and its position."""

    value: float | str | None
    position: int


class RunReader(Protocol):
    async def runs(self, chosen: RunFilter, *, after: tuple[datetime, UUID] | None, limit: int) -> list[RunSummary]:
        """Newest first, from just after the run that `after` names."""
        ...

    async def run(self, run_id: UUID) -> RunSummary | None: ...

    async def exists(self, run_id: UUID) -> bool: ...

    async def detail(self, run_id: UUID, *, tasks: bool) -> RunDetail | None:
        """`tasks`: with the figures of every task."""
        ...

    async def distribution(self, run_id: UUID) -> RunDistribution:
        """Of a run that exists."""
        ...

    async def log(self, run_id: UUID, *, after: int, limit: int) -> RunLog | None:
        """The lines whose `run_seq` is greater than `after`."""
        ...

    async def events(self, run_id: UUID, *, from_seq: int, limit: int) -> RunEventPage: ...


class ItemReader(Protocol):
    async def page(
        self,
        run_id: UUID,
        chosen: ItemFilter,
        *,
        sort: SortKey,
        descending: bool,
        after: ItemPlace | None,
        limit: int,
    ) -> list[ItemOut]:
        """From just after `after`; rows without a value of the sort key come last either way."""
        ...

    async def count(self, run_id: UUID, chosen: ItemFilter) -> int: ...

    async def detail(self, run_id: UUID, item_id: UUID) -> ItemDetail | None: ...


class ExportSource(Protocol):
    """A run's chosen items by position, a chunk at a time: memory does not grow with the run. A format reads them once,
    either way; rows cost a tenth of lines."""

    def lines(self) -> AsyncIterator[ExportLine]: ...

    def rows(self, columns: Sequence[str]) -> AsyncIterator[Sequence[ExportRow]]:
        """Chunks of rows. `columns` are those of items, the first is `id`, and `target_label`, `model`,
        `system_prompt`, `question`, `answer`, `reasoning`, `failure_phase`, `failure_kind`, `failure_message`."""
        ...

    async def busy_s(self) -> Mapping[UUID | None, float]:
        """Seconds in which at least one call that was answered was under way, by target and of the run (`None`);
        nothing where some items of the run are left out."""
        ...


class ExportReader(Protocol):
    def chosen(self, run_id: UUID, chosen: ItemFilter) -> ExportSource: ...
