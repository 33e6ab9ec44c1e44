"""Comparing: which columns, what of their cases, and what is told of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Literal, Protocol, Self
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, model_validator

from llmbench.contracts.base import UtcTime
from llmbench.contracts.item_failure import ItemFailure
from llmbench.contracts.run_words import ItemStatus, RunStatus
from orchestrator.domain.comparison.verdicts import Verdict
from orchestrator.ports.figure_schemas import Figures, Interval
from orchestrator.ports.gates import ClusterBy, GateChoice, GateOut
from orchestrator.ports.pairs import (
    SCORE,
    ComparedEvaluator,
    EvaluatorPairs,
    Metric,
    OwnValues,
    PairedColumn,
    SharedScores,
)

MOST_COLUMNS = 8


@dataclass(frozen=True)
class ColumnRef:
    """One target of one run."""

    run_id: UUID
    target_id: UUID


class ComparedJudge(BaseModel):
    """What a column's scores are made of: the evaluator revisions that speak for its run, and their weights.
    Equal `scoring` is equal measure. Several evaluators have the scale 0…1."""

    scoring: str
    kind: str
    judge_model: str | None
    scale_min: float
    scale_max: float

    def on_scale(self, normalised: Decimal | None) -> float | None:
        if normalised is None:
            return None
        return self.scale_min + float(normalised) * (self.scale_max - self.scale_min)


class Column(BaseModel):
    run_id: UUID
    run_name: str
    run_status: RunStatus
    run_created_at: UtcTime
    target_id: UUID
    label: str
    provider_name: str
    model: str
    judge: ComparedJudge | None
    cluster_by: str | None = None


class ComparedColumn(Column):
    """`figures` are of all the target's items, whether another column has their cases or not."""

    figures: Figures


class ScoreComparison(BaseModel):
    """The mean of (this column - baseline) over the `cases` scored in both, each as one, on 0…1; `mean_here` and
    `mean_baseline` are the two means it is made of. `interval` is of 95 %, computed over clusters; `simultaneous` is
    the wider one that the verdict is read from where more is compared at once (Holm). `better`, `worse` and `equal`
    count cases. `clusters_needed` would separate a difference of this size four times in five."""

    cases: int
    clusters: int
    better: int
    worse: int
    equal: int
    mean: float | None
    mean_here: float | None
    mean_baseline: float | None
    interval: Interval | None
    simultaneous: Interval | None
    method: str | None = Field(description="How the interval is computed: betting, or bootstrap-t.")
    verdict: Verdict | None = Field(description="Null while a run goes on: `withheld` says which.")
    clusters_needed: int | None


class PassComparison(BaseModel):
    """Over the cases passed or failed in both: `gained` pass only here, `lost` only in the baseline. A case of several
    epochs passes when more than half of them do. `rate_difference` is of the pass rates, with its interval of 95 %."""

    cases: int
    gained: int
    lost: int
    rate_difference: float | None
    interval: Interval | None
    simultaneous: Interval | None
    verdict: Verdict | None


class EvaluatorComparison(ComparedEvaluator):
    """The verdicts allow for all evaluators of all columns compared: by Holm for those that gate, and for the others,
    which only inform, by Benjamini and Hochberg."""

    score: ScoreComparison


class ColumnComparison(BaseModel):
    """One column against the baseline. Cases are the same when their `task_id` is. `score` and `passes`
    are null where two different judges scored: the `note` says so, their scores are never subtracted.

    An answer that was refused or malformed is a 0; one that never came, or that no evaluator could score, is missing.
    Under a `coverage` of 0.9 the verdict is `low coverage`."""

    column: int = Field(description="Its index in `columns`.")
    cases_in_both: int
    only_baseline: int
    only_here: int
    questions_differ: int = Field(description="Cases in both whose question is not the same text.")
    missing: int = Field(description="Cases of either that have no difference: not in both, or not scored in both.")
    coverage: float = Field(description="The share of the cases in both that is scored in both; an epoch is a part.")
    zeros: int = Field(description="Refused or malformed answers of the cases in both that count as 0.")
    baseline_zeros: int
    score: ScoreComparison | None
    passes: PassComparison | None
    note: str | None
    withheld: str | None = Field(description="Why there is no verdict yet: a run goes on.")
    evaluators: list[EvaluatorComparison] = Field(
        description="By each evaluator that both were scored by, also where their overall scores are not comparable. "
        "Empty where one alone makes the overall score.",
    )


class Comparison(BaseModel):
    """Columns side by side, each one but the baseline compared with it."""

    columns: list[ComparedColumn]
    baseline: int = Field(description="Its index in `columns`.")
    cases: int = Field(description="That at least one column has.")
    comparisons: list[ColumnComparison]
    cluster_by: str | None = Field(description="The metadata key whose values are clusters, where there is one.")
    winner: int | None = Field(description="The index of the column whose verdict is better against every other one.")
    winner_reason: str | None = Field(description="Why there is no winner.")


class ColumnChoice(BaseModel):
    """One target of one run."""

    model_config = ConfigDict(extra="forbid")

    run_id: UUID
    target_id: UUID


class CompareBenchmarks(BaseModel):
    """Runs, whose targets of one label are compared (or the only target of each); or exactly these columns."""

    model_config = ConfigDict(extra="forbid")

    run_ids: list[UUID] | None = Field(default=None, min_length=2, max_length=MOST_COLUMNS)
    columns: list[ColumnChoice] | None = Field(default=None, min_length=2, max_length=MOST_COLUMNS)
    baseline: int = Field(default=0, ge=0, description="The index of the run or column to compare the others with.")
    margin: float = Field(
        default=0,
        ge=0,
        le=1,
        allow_inf_nan=False,
        description="How much worse, on 0…1, still counts as none in `regressed`: of the mean score.",
    )
    cluster_by: ClusterBy = None
    gate: GateChoice | None = None

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        given = self.run_ids if self.columns is None else self.columns
        if given is None or (self.run_ids is not None and self.columns is not None):
            raise ValueError("name either run_ids or columns")
        if self.baseline >= len(given):
            raise ValueError(f"baseline: there are {len(given)} of them, the first is 0")
        return self


class BenchmarkVerdict(Comparison):
    """`regressed`: the labels of the columns that are worse by more than the margin, and not by chance."""

    regressed: list[str]


class BenchmarkModel(BaseModel):
    """A column. `overall_score` is its mean, on 0…1, over the `cases` that are scored in all the columns it is
    compared with."""

    run_id: UUID
    model_name: str
    overall_score: float | None
    cases: int
    target_id: UUID
    label: str


class BenchmarkTaskScore(BaseModel):
    run_id: UUID
    score: float
    target_id: UUID


class BenchmarkTask(BaseModel):
    """The same, of one category."""

    task_name: str
    scores: list[BenchmarkTaskScore]


class BenchmarksCompared(BaseModel):
    """One comparison per label; the verdicts allow for all of them (Holm). `winner` is the run (and `winner_target_id`
    its target, where one label is compared) that is better than each other and not by chance, under every label; else
    it is null, and `winner_reason` says why."""

    margin: float
    regressed: bool
    gate: GateOut | None
    comparisons: list[BenchmarkVerdict]
    models: list[BenchmarkModel]
    comparison: list[BenchmarkTask]
    winner: UUID | None
    winner_target_id: UUID | None
    winner_reason: str | None


class Cell(BaseModel):
    """What one column has of a case. Several epochs: their mean, with the answer of the first that has one
    (`item_id`). `answer` is cut to 1 KiB; the whole is with the item."""

    item_id: UUID
    status: ItemStatus
    failure: ItemFailure | None
    epochs: int
    scored: int
    score: float | None = Field(description="On the judge's own scale.")
    score_normalised: float | None
    passed: bool | None
    difference: float | None = Field(description="To the baseline, on 0…1; null in the baseline itself.")
    answer: str | None
    truncated: bool
    time_ms: float | None
    cost_usd: float | None


class ComparedCase(BaseModel):
    """`cells` are in the order of the columns, null where a column lacks the case. `question` is the
    baseline's, or the first there is, cut to 1 KiB."""

    task_id: str
    category: str
    question: str
    questions_differ: bool
    cells: list[Cell | None]


class ComparedCases(BaseModel):
    items: list[ComparedCase]
    total: int = Field(description="How many cases the filters choose.")
    next_cursor: str | None


class Show(StrEnum):
    """Which cases: of the columns looked at, one is better, worse, either, none of these, or lacks a
    difference."""

    ALL = "all"
    DIFFERING = "differing"
    BETTER = "better"
    WORSE = "worse"
    EQUAL = "equal"
    MISSING = "missing"


CaseSort = Literal["position", "-delta", "delta"]


@dataclass(frozen=True)
class CasePlace:
    """Of the last case of a page: its difference (null when the list is by position), rank and name."""

    difference: float | None
    rank: int
    task_id: str


@dataclass(frozen=True)
class CaseQuery:
    """`of`: the one column that `show` and `sort` look at, else all but the baseline; `delta` sorts by the
    least difference, `-delta` by the greatest. `text` is in task id, question, answer or reason."""

    baseline: int
    of: int | None = None
    show: Show = Show.ALL
    sort: CaseSort = "position"
    categories: Sequence[str] = ()
    text: str | None = None
    after: CasePlace | None = None
    limit: int = 100


@dataclass(frozen=True)
class Found:
    """A page of cases, with the place of each."""

    cases: Sequence[tuple[CasePlace, ComparedCase]]
    total: int


class ComparisonReader(Protocol):
    async def columns(self, refs: Sequence[ColumnRef]) -> list[Column | None]:
        """In the order asked for; `None` where there is no such target in that run."""
        ...

    async def figures(self, columns: Sequence[Column]) -> list[Figures]: ...

    async def pairs(
        self, columns: Sequence[Column], *, baseline: int, metric: Metric = SCORE, cluster_by: str | None = None
    ) -> tuple[int, dict[int, PairedColumn]]:
        """How many cases there are in all, and by its index what each column but the baseline comes to."""
        ...

    async def evaluator_pairs(
        self, columns: Sequence[Column], *, baseline: int, cluster_by: str | None = None
    ) -> dict[int, list[EvaluatorPairs]]:
        """By the index of each column but the baseline, in the order of the baseline's evaluators; none for a column
        whose overall score is made by the one that they share, as the baseline's is."""
        ...

    async def evaluators(self, column: Column) -> dict[str, UUID]:
        """The revisions that speak for the column's run, by the evaluators' names."""
        ...

    async def own_values(
        self, column: Column, *, metric: Metric, cluster_by: str | None, most_clusters: int
    ) -> OwnValues: ...

    async def shared_scores(self, columns: Sequence[Column]) -> SharedScores: ...

    async def cases(self, columns: Sequence[Column], query: CaseQuery) -> Found: ...
