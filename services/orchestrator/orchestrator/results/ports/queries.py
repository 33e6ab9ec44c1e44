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
from orchestrator.results.domain.judge_agreement import JudgeAgreement
from orchestrator.results.ports.distribution_schemas import RunDistribution
from orchestrator.results.ports.failure_schemas import RunFailures
from orchestrator.results.ports.figure_schemas import Figures, TargetResult
from orchestrator.results.ports.item_schemas import ItemDetail, ItemExcerpt, ItemOut, ItemScore, extraction_of
from orchestrator.results.ports.run_lists import Grouping, RunGroup, RunOrder, RunPlace, RunSlice
from orchestrator.results.ports.schemas import RunDetail, RunLog, RunSummary, RunWarning


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
    """The score of one evaluator revision for an item, for export formats that read rows of columns, such as CSV."""

    item_id: UUID
    slot: str
    evaluator_revision_id: UUID
    judge_model: str | None
    primary: bool
    whole: bool
    corrects: UUID | None
    status: ScoreStatus
    outcome: Literal["scored", "unparsed", "refused", "errored"] | None
    raw: float | None
    normalised: float | None
    passed: bool | None
    reason: str | None
    error: str | None
    by_person: bool
    extraction: dict[str, Any] | None

    def extracted(self) -> dict[str, str | None] | None:
        """Return the values that the evaluator extracted from answer and reference, and the rules that it used. Return
        `None` if it stored none, or if they have an unknown form."""
        extraction = extraction_of({"extraction": self.extraction})
        return extraction.model_dump() if extraction else None


class ExportRow(NamedTuple):
    """One item for export formats that read rows of columns, such as CSV. `values` are the values of the requested
    columns. `scores` are in the order in which the evaluators joined the run."""

    values: Sequence[Any]
    scores: Sequence[PlainScore]


@dataclass(frozen=True)
class RunFilter:
    """A filter of runs; an empty field selects everything.

    `created_from` is inclusive, `created_before` exclusive. A run must have all of `tags`, and one of `provider_ids` as
    the provider of a target or a judge. `suite` is the name of a suite, in any of its versions. If `has_tag` is true, a
    run must have a tag; if it is false, a run must have none. `has_suite` says the same about a suite. `text` is
    searched for in name and description.
    """

    statuses: Sequence[RunStatus] = ()
    created_from: datetime | None = None
    created_before: datetime | None = None
    tags: Sequence[str] = ()
    types: Sequence[RunType] = ()
    text: str | None = None
    provider_ids: Sequence[UUID] = ()
    suite: str | None = None
    has_tag: bool | None = None
    has_suite: bool | None = None


class SortKey(StrEnum):
    """The sort keys of items. `position` is the item's number in the order of the run. `evaluator_score` is the raw
    score by the evaluator revision that `ItemOrder.revision_id` names."""

    POSITION = "position"
    TASK_ID = "task_id"
    CATEGORY = "category"
    TARGET = "target"
    STATUS = "status"
    SCORE = "score"
    EVALUATOR_SCORE = "evaluator_score"
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
    bound the overall score on 0…1, as computed for the run's statistics. `time_min` (inclusive) and `time_below`
    (exclusive) bound the time of the answer, in milliseconds.
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
    time_min: float | None = None
    time_below: float | None = None
    passed: bool | None = None
    evaluator: str | None = None
    outcomes: Sequence[str] = ()
    cached: bool | None = None
    cut: bool | None = None
    finish_reasons: Sequence[str] = ()
    answer_kinds: Sequence[str] = ()
    text: str | None = None


class ItemCounts(NamedTuple):
    """The numbers of items that a filter finds.

    `statuses` counts the items of each status that the filter would find without its own statuses. `not_passed` counts
    those that it would find with `passed` set to false.
    """

    items: int
    statuses: Mapping[ItemStatus, int]
    not_passed: int


@dataclass(frozen=True)
class ItemOrder:
    """The order of a list of items. `revision_id` is the evaluator revision whose scores sort them: set if and only if
    the key is `EVALUATOR_SCORE`."""

    key: SortKey = SortKey.POSITION
    descending: bool = False
    revision_id: UUID | None = None


@dataclass(frozen=True)
class ItemPlace:
    """The last item of a page: its value of the sort key, and its position in the run."""

    value: float | str | None
    position: int


class RunReader(Protocol):
    async def runs(self, chosen: RunFilter, *, order: RunOrder, after: RunPlace | None, limit: int) -> RunSlice:
        """Return the page that follows the run `after`; the first page if it is `None`. Runs without a value of the
        sort key come last in both directions."""
        ...

    async def groups(
        self, chosen: RunFilter, grouping: Grouping, *, after: str | None, limit: int
    ) -> Sequence[RunGroup]:
        """Return the groups of the chosen runs that follow the group with the key `after`; the first ones if it is
        `None`. Tags and suites are sorted by name; the last group has the runs without a tag or a suite. Days are
        sorted from the newest to the oldest."""
        ...

    async def queue(self, limit: int) -> list[RunSummary]:
        """Return the first `limit` queued runs, of every type, in the order in which they start."""
        ...

    async def run(self, run_id: UUID) -> RunSummary | None: ...

    async def exists(self, run_id: UUID) -> bool: ...

    async def judges(self, run_id: UUID) -> list[JudgeAgreement]:
        """Return how far each judge of the run agrees with people, in the order of the run's evaluators."""
        ...

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
        order: ItemOrder,
        after: ItemPlace | None,
        limit: int,
    ) -> list[ItemOut]:
        """Return the page that follows the item `after`; the first page if it is `None`. Rows without a value of the
        sort key come last in both directions."""
        ...

    async def count(self, run_id: UUID, chosen: ItemFilter) -> ItemCounts: ...

    async def excerpts(self, run_id: UUID, item_ids: Sequence[UUID]) -> list[ItemExcerpt]:
        """Return excerpts (the beginnings of the texts) of the items. Items of other runs are left out."""
        ...

    async def detail(self, run_id: UUID, item_id: UUID) -> ItemDetail | None: ...


@dataclass(frozen=True)
class ExportResults:
    """The statistics of a run as its page shows them: in total, and per target in the order of the run's targets.
    `is_whole` is true if the exported items are all items of the run."""

    totals: Figures
    targets: Sequence[TargetResult]
    warnings: Sequence[RunWarning]
    is_whole: bool = True
    judges: Sequence[JudgeAgreement] = ()


class TargetRanking(Protocol):
    async def sentence(self, run_id: UUID, targets: Sequence[TargetResult]) -> str | None:
        """Return a sentence that says which target is best, and how the others compare with it case by case. Return
        `None` if they cannot be compared."""
        ...


class ExportSource(Protocol):
    """The selected items of a run, ordered by position. They are read in chunks, so that memory does not grow with the
    run.

    An export calls either `lines` or `rows`, once. `rows` reads only the requested columns, in a tenth of the time.
    """

    @property
    def items(self) -> ItemFilter:
        """The filter that selected the items."""
        ...

    def lines(self, *, with_turns_before: bool = False, worst_first: bool = False) -> AsyncIterator[ExportLine]:
        """Yield the items one by one. `turns_before` of a line is empty unless `with_turns_before` is true.

        With `worst_first`, items without a score come first, then the others from the lowest score. The turns of a
        conversation stay together, at the place of the worst one.
        """
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

    async def ranking(self) -> str | None:
        """Return a sentence that says which target of the run is best (see `TargetRanking`); `None` if the targets
        cannot be compared."""
        ...

    async def results(self) -> ExportResults:
        """Return the statistics of the run, whatever the filter."""
        ...


class ExportReader(Protocol):
    def chosen(self, run_id: UUID, chosen: ItemFilter) -> ExportSource: ...
