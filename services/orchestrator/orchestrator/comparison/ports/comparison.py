"""The requested columns (targets of runs) of a comparison, the schemas of its response, and the port that reads its
data."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Protocol
from uuid import UUID

from pydantic import BaseModel, Field

from llmbench.contracts.base import UtcTime
from llmbench.contracts.run_words import RunStatus
from orchestrator.comparison.domain.clusters import ClusterSums
from orchestrator.comparison.domain.suites import ScoredSuite
from orchestrator.comparison.domain.target_pairs import PairedBy
from orchestrator.comparison.domain.verdicts import Verdict
from orchestrator.comparison.ports.cases import CasePage, CaseQuery, ComparedCase
from orchestrator.comparison.ports.maps import CategoryMap, ScorePairs
from orchestrator.comparison.ports.pairs import (
    SCORE,
    ComparedEvaluator,
    EvaluatorPairs,
    Metric,
    OwnValues,
    PairedColumn,
    PrimaryRevision,
    SharedScores,
)
from orchestrator.results.ports.figure_schemas import Figures, Interval

MOST_COLUMNS = 8
WEIGHTING: Final = (
    "A sentence that says how the tasks of a suite count in `score`: as in the score of the suite, or each case "
    "equally, with the reason. Null if neither run is a run of a suite, or without scores."
)


@dataclass(frozen=True)
class ColumnRef:
    """One column of a comparison: a target of a run."""

    run_id: UUID
    target_id: UUID


class ComparedJudge(BaseModel):
    """The measure behind the scores of a column (a target of a run): the primary revisions of its run that have a
    weight, and their weights.

    `scoring` names them as one text: only columns with equal `scoring` can be compared. With several evaluators, the
    overall score is on the scale 0…1.
    """

    scoring: str
    kind: str
    judge_model: str | None
    scale_min: float
    scale_max: float

    def on_scale(self, normalised: Decimal | None) -> float | None:
        if normalised is None:
            return None
        return self.scale_min + float(normalised) * (self.scale_max - self.scale_min)


class NamedColumn(BaseModel):
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


class Column(NamedColumn):
    """A target of a run that is compared with others. `settings` holds the target's parameters that have a value, its
    epochs, and the run's collections and dataset versions, each as text. `suite` is null if the run is no run of a
    suite."""

    settings: Mapping[str, str] = Field(default_factory=dict)
    suite: ScoredSuite | None = None


class ComparedColumn(NamedColumn):
    """A target of a run that is compared with others. `figures` are the statistics of all items of the target,
    including cases that no other compared target has."""

    figures: Figures


class ScoreComparison(BaseModel):
    """The comparison of a column (a target of a run) with the baseline by their mean scores (0…1), over the `cases`
    that are scored in both. `mean` is the difference: this column's mean - the baseline's.

    Each case counts equally, unless `weighting` of the comparison says that the tasks count as in the score of a suite.
    `mean_here` and `mean_baseline` are the two means, or the two scores of the suite. `better`, `worse` and `equal`
    count cases.

    `interval` is the 95 % interval over clusters. `simultaneous` is the wider interval that decides the verdict if
    several comparisons are made (Holm). With `clusters_needed` clusters, `simultaneous` would exclude 0 for a
    difference of this size in four of five comparisons.
    """

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
    verdict: Verdict | None = Field(description="Null while a run is active: `withheld` says which.")
    clusters_needed: int | None


class PassComparison(BaseModel):
    """The comparison of pass rates over the cases that passed or failed in both columns (targets of runs).

    `gained` cases pass only in this column, `lost` cases only in the baseline. A case with several epochs passes when
    more than half of them pass. `rate_difference` is the difference of the pass rates, with its 95 % interval.
    """

    cases: int
    gained: int
    lost: int
    rate_difference: float | None
    interval: Interval | None
    simultaneous: Interval | None
    verdict: Verdict | None


class EvaluatorComparison(ComparedEvaluator):
    """The comparison of the scores of one evaluator.

    The verdicts are corrected for the number of evaluators and columns: by the method of Holm if the evaluator gates,
    else by that of Benjamini and Hochberg. An evaluator gates if it has a pass threshold, or if it is required and has
    a weight.
    """

    score: ScoreComparison


class ColumnDifference(BaseModel):
    """A property in which two columns (targets of runs) differ, such as the model, the provider, a parameter or the
    collections.

    A value is null if the column does not have the property. Values longer than 200 characters are shortened.
    """

    name: str
    baseline: str | None
    here: str | None


class ColumnComparison(BaseModel):
    """One column (a target of a run) compared with the baseline. Cases with the same `task_id` are the same case.

    `score` and `passes` are null if the scores of the two columns are not comparable; `note` says why. A refused or
    malformed answer counts as 0, and so do the later turns of its conversation. Any other answer without a score is
    missing. With a `coverage` below 0.9 the verdict is `low coverage`. `passes` and `evaluators` always count each case
    equally.
    """

    column: int = Field(description="Its index in `columns`.")
    paired_by: PairedBy | None = Field(
        description="How the target was paired with the baseline's; null where columns were named."
    )
    differs: list[ColumnDifference] = Field(description="The settings that differ from the baseline's.")
    cases_in_both: int
    only_baseline: int
    only_here: int
    questions_differ: int = Field(description="Cases in both whose questions differ.")
    references_changed: int = Field(description="Cases in both whose references or checks differ.")
    references_note: str | None = Field(
        description="A sentence about changed references: the two columns were not scored against the same ground "
        "truth. Null if no reference differs.",
    )
    missing: int = Field(description="Cases that cannot be compared: not in both columns, or not scored in both.")
    coverage: float = Field(
        description="The share of the shared cases that is scored in both; epochs count as fractions. Where tasks are "
        "weighed, the share of the task with the lowest one."
    )
    least_covered: str | None = Field(description="The task with the lowest coverage, where tasks are weighed.")
    weighting: str | None = Field(description=WEIGHTING)
    zeros: int = Field(description="Refused or malformed answers of the cases in both that count as 0.")
    baseline_zeros: int
    score: ScoreComparison | None
    passes: PassComparison | None
    note: str | None
    withheld: str | None = Field(description="Why there is no verdict yet: a run is active.")
    evaluators: list[EvaluatorComparison] = Field(
        description="One per evaluator that scored both columns, even if their overall scores are not comparable. "
        "Empty if a single evaluator alone determines the overall score.",
    )


class Comparison(BaseModel):
    """The compared columns (targets of runs), and the comparison of each with the baseline, which is one of them."""

    columns: list[ComparedColumn]
    baseline: int = Field(description="Its index in `columns`.")
    cases: int = Field(description="The number of cases that at least one column has.")
    comparisons: list[ColumnComparison]
    cluster_by: str | None = Field(description="The metadata key whose values are clusters, if any.")
    winner: int | None = Field(description="The index of the column whose verdict is better against every other one.")
    winner_reason: str | None = Field(description="Why there is no winner.")


class ComparisonReader(Protocol):
    async def columns(self, refs: Sequence[ColumnRef]) -> list[Column | None]:
        """Return the columns (targets of runs) in the requested order; `None` for a column whose run has no such
        target."""
        ...

    async def figures(self, columns: Sequence[Column]) -> list[Figures]: ...

    async def pairs(
        self, columns: Sequence[Column], *, baseline: int, metric: Metric = SCORE, cluster_by: str | None = None
    ) -> tuple[int, dict[int, PairedColumn]]:
        """Return the number of cases that at least one column (a target of a run) has, and the paired results of each
        column with the baseline, by the column's index. The baseline itself is left out.

        `cluster_by` is the metadata key whose values are the clusters; without it, they are those stored with the runs.
        """
        ...

    async def evaluator_pairs(
        self, columns: Sequence[Column], *, baseline: int, cluster_by: str | None = None
    ) -> dict[int, list[EvaluatorPairs]]:
        """Return the paired scores of each column and the baseline, by the column's index: one entry for each evaluator
        that both share, in the order of the baseline's evaluators.

        An evaluator is shared if both runs have the same primary revision of it. If only one is shared, and the overall
        scores of both columns are its scores, it is left out: its pairs would equal those of the overall scores.
        `cluster_by` is the metadata key whose values are the clusters, or `None` for those stored with the runs.
        """
        ...

    async def evaluators(self, column: Column) -> dict[str, PrimaryRevision]:
        """Return the primary revisions of the column's run, by evaluator name."""
        ...

    async def own_values(
        self, column: Column, *, metric: Metric, cluster_by: str | None, most_clusters: int
    ) -> OwnValues: ...

    async def shared_scores(self, columns: Sequence[Column]) -> SharedScores: ...

    async def pooled(
        self,
        columns: Sequence[Column],
        *,
        baselines: Sequence[int],
        metrics: Sequence[Metric],
        cluster_by: str | None = None,
    ) -> ClusterSums:
        """Return how far the columns differ from their baselines. The differences of all columns are summed per
        cluster.

        `baselines` has the index of each column's baseline; a baseline has its own index. `metrics` has the metric of
        each column. All are of one kind, and either all or none weigh the tasks of a suite. A cluster that several
        columns share counts as one cluster. `cluster_by` is the metadata key whose values are the clusters, or `None`
        for those stored with the runs.
        """
        ...

    async def cases(self, columns: Sequence[Column], query: CaseQuery) -> CasePage: ...

    def every_case(self, columns: Sequence[Column], query: CaseQuery) -> AsyncIterator[ComparedCase]:
        """Yield all cases of the query in its order, with uncut questions and answers. `after` and `limit` of the query
        are ignored. The needed memory does not grow with the number of cases."""
        ...

    async def category_map(self, columns: Sequence[Column], *, baseline: int, limit: int) -> CategoryMap:
        """Return the columns' mean scores in each of at most `limit` categories. The category in which the columns
        differ most comes first."""
        ...

    async def score_pairs(self, columns: Sequence[Column], *, baseline: int, column: int) -> ScorePairs:
        """Return how often each pair of scores of the baseline and of one other column occurs."""
        ...
