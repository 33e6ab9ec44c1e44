"""The ports through which endpoints and exports read results, with their filters and rows."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal, NamedTuple, Protocol
from uuid import UUID

from pydantic import Field

from llmbench.contracts.read_run_events import RunEventPage
from llmbench.contracts.run_words import ItemStatus, RunPhase, RunStatus, RunType, ScoreStatus
from orchestrator.kernel.domain.prompts import HadTurn
from orchestrator.kernel.domain.records import Item
from orchestrator.results.ports.failure_schemas import RunFailures
from orchestrator.results.ports.item_schemas import ItemDetail, ItemExcerpt, ItemOut, ItemScore, extraction_of
from orchestrator.results.ports.schemas import RunDetail, RunDistribution, RunLog, RunSummary


class ExportScore(ItemScore):
    """A score with the fields that exports read.

    `details` are further results of its evaluator. `time_ms` is the total time of its calls, and is null if no model
    was called. A `PlainScore` has neither, because only formats with a published specification need them.
    """

    reason: str | None
    error: str | None
    kind: str = Field(default="rubric", exclude=True)
    details: dict[str, Any] = Field(default_factory=dict, exclude=True)
    time_ms: float | None = Field(default=None, exclude=True)

    @property
    def extraction(self) -> dict[str, Any] | None:
        """Return the values that the evaluator extracted from answer and reference, as stored; `None` if it stored
        none."""
        return self.details.get("extraction")


@dataclass(frozen=True)
class ExportLine:
    """One item for the exports.

    `url` is the URL that was called, or that would have been called; it is empty for a supplied answer. The times are
    those of the call that answered the item. `turns_before` are the earlier turns of the conversation that the request
    may include, the oldest first; they are read only if requested.
    """

    item: Item
    answer: str | None
    reasoning: str | None = None
    scores: Sequence[ExportScore] = ()
    url: str = ""
    started_at: datetime | None = None
    finished_at: datetime | None = None
    turns_before: Sequence[HadTurn] = ()


class PlainScore(NamedTuple):
    """The score of one evaluator revision for an item, for formats with columns."""

    item_id: UUID
    slot: str
    evaluator_revision_id: UUID
    judge_model: str | None
    primary: bool
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
        """Return the values that the evaluator extracted from answer and reference, and the rules that it used. Return
        `None` if it stored none, or if they have an unknown form."""
        extraction = extraction_of({"extraction": self.extraction})
        return extraction.model_dump() if extraction else None


class ExportRow(NamedTuple):
    """One item for formats with columns: the values of the requested columns, and its scores in the order in which the
    evaluators joined the run."""

    values: Sequence[Any]
    scores: Sequence[PlainScore]


@dataclass(frozen=True)
class RunFilter:
    """A filter of runs; an empty field selects everything.

    `created_from` is inclusive, `created_before` exclusive. A run must have all of `tags`, and one of `provider_ids` as
    the provider of a target or a judge. `suite` is the name of a suite, in any of its versions. `text` is searched for
    in name and description.
    """

    statuses: Sequence[RunStatus] = ()
    created_from: datetime | None = None
    created_before: datetime | None = None
    tags: Sequence[str] = ()
    types: Sequence[RunType] = ()
    text: str | None = None
    provider_ids: Sequence[UUID] = ()
    suite: str | None = None


class SortKey(StrEnum):
    """The sort keys of items. `position` is the item's number in the order of the run."""

    POSITION = "position"
    TASK_ID = "task_id"
    CATEGORY = "category"
    TARGET = "target"
    STATUS = "status"
    SCORE = "score"
    TIME_MS = "time_ms"
    FIRST_TOKEN_MS = "first_token_ms"  # noqa: S105  # a word of the API, not a password
    TOKENS_PER_SECOND = "tokens_per_second"
    COMPLETION_TOKENS = "completion_tokens"
    COST_USD = "cost_usd"
    MODEL = "model"
    PROMPT_TOKENS = "prompt_tokens"
    ATTEMPTS = "attempts"
    FINISH_REASON = "finish_reason"


@dataclass(frozen=True)
class ItemFilter:
    """A filter of items; an empty field selects everything. An item's case has to have all of `tags`.

    `text` is searched for in the task's id, the question, the answer and the judge's reason. With `evaluator`, the
    score bounds and `passed` refer to that evaluator's score on its own scale, else to the overall score. `outcomes`
    refer to the scores of `evaluator`, or of any evaluator. `overall_min` (inclusive) and `overall_below` (exclusive)
    bound the overall score on 0…1, as computed for the run's statistics.
    """

    statuses: Sequence[ItemStatus] = ()
    target_ids: Sequence[UUID] = ()
    models: Sequence[str] = ()
    categories: Sequence[str] = ()
    tags: Sequence[str] = ()
    task_id: str | None = None
    suite_tasks: Sequence[str] = ()
    conversation_id: str | None = None
    failure_kinds: Sequence[str] = ()
    failure_causes: Sequence[str] = ()
    failure_phase: RunPhase | None = None
    score_min: float | None = None
    score_max: float | None = None
    overall_min: float | None = None
    overall_below: float | None = None
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
    """The last item of a page: its value of the sort key, and its position in the run."""

    value: float | str | None
    position: int


class RunReader(Protocol):
    async def runs(self, chosen: RunFilter, *, after: tuple[datetime, UUID] | None, limit: int) -> list[RunSummary]:
        """Return a page of runs, newest first, starting after the run with the creation time and id in `after`."""
        ...

    async def queue(self, limit: int) -> list[RunSummary]:
        """Return the first queued runs, of every type, in the order of their turns."""
        ...

    async def run(self, run_id: UUID) -> RunSummary | None: ...

    async def exists(self, run_id: UUID) -> bool: ...

    async def detail(self, run_id: UUID, *, tasks: bool, case_tags: bool = False) -> RunDetail | None:
        """Return the run with its statistics; with `tasks` and `case_tags`, also those of every task and tag.

        Return `None` if there is no such run.
        """
        ...

    async def distribution(self, run_id: UUID) -> RunDistribution:
        """Return the histograms of a run. The run has to exist."""
        ...

    async def failures(self, run_id: UUID) -> RunFailures:
        """Return the failures of a run by phase and cause. The run has to exist."""
        ...

    async def log(self, run_id: UUID, *, after: int, limit: int) -> RunLog | None:
        """Return up to `limit` lines of the log whose `run_seq` is greater than `after`; `None` if there is no such
        run."""
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
        """Return the page that follows the item `after`; the first page if it is `None`. Rows without a value of the
        sort key come last in both directions."""
        ...

    async def count(self, run_id: UUID, chosen: ItemFilter) -> int: ...

    async def excerpts(self, run_id: UUID, item_ids: Sequence[UUID]) -> list[ItemExcerpt]:
        """Return the excerpts of those items that belong to the run."""
        ...

    async def detail(self, run_id: UUID, item_id: UUID) -> ItemDetail | None: ...


class ExportSource(Protocol):
    """The selected items of a run, ordered by position. They are read in chunks, so that memory does not grow with the
    run.

    A format reads the items once, as lines or as rows; reading rows takes a tenth of the time.
    """

    def lines(self, *, with_turns_before: bool = False) -> AsyncIterator[ExportLine]:
        """Yield the items one by one. `turns_before` of a line is empty unless `with_turns_before` is true."""
        ...

    def rows(self, columns: Sequence[str]) -> AsyncIterator[Sequence[ExportRow]]:
        """Yield chunks of rows with the requested columns.

        `columns` begins with `id`. The others are columns of the table `item`, or of these: `target_label`, `model`,
        `system_prompt`, `question`, `answer`, `reasoning`, `notes`, `redactions`, `failure_phase`, `failure_kind`,
        `failure_message`, `failure_cause`.
        """
        ...

    async def busy_s(self) -> Mapping[UUID | None, float]:
        """Return the seconds in which at least one answered call was in progress, by target and for the run (`None`).

        The mapping is empty if the filter leaves out some items of the run.
        """
        ...


class ExportReader(Protocol):
    def chosen(self, run_id: UUID, chosen: ItemFilter) -> ExportSource: ...
