"""Paired results of two columns (targets of runs) over the same cases, as the database returns them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from pydantic import BaseModel

from orchestrator.comparison.domain.coverage import GatePair
from orchestrator.comparison.domain.gate_check import Cluster


class ComparedEvaluator(BaseModel):
    """An evaluator that two compared columns (targets of runs) share: both runs have the same primary revision of it.

    `weight` and `gates` are the baseline's. An evaluator gates if it is required and has a weight, or if it has a pass
    threshold.
    """

    name: str
    title: str
    kind: str
    judge_model: str | None
    weight: float
    gates: bool


@dataclass(frozen=True)
class PrimaryRevision:
    """The primary revision of an evaluator of a run. If the evaluator scores only one task of a suite, that is
    `suite_task`."""

    id: UUID
    suite_task: str | None


@dataclass(frozen=True)
class PairedPasses:
    """The paired pass rates of two columns (targets of runs), and the numbers of cases that pass in only one of them:
    `gained` in this column, `lost` in the baseline."""

    pair: GatePair
    gained: int
    lost: int


@dataclass(frozen=True)
class TaskCoverage:
    """A task of a suite, with the number of cases that both columns (targets of runs) have, and the number of these
    cases that are scored in both."""

    task: str
    shared_cases: int
    scored_cases: int


@dataclass(frozen=True)
class PairedColumn:
    """A column (a target of a run) compared with the baseline by one metric, as sums over their cases.

    `compared` counts the shared cases whose difference is known. It is 0 if the metric is the overall score and the
    columns have different primary revisions or weights. `mean_here` and `mean_baseline` are over the compared cases.

    In scores and pass rates, an answer that the model itself failed to give counts as 0. `zeros` and `baseline_zeros`
    count such answers to shared cases. `measured` and `baseline_measured` count all other answers with a value, and
    `completed` counts the column's completed items. These three include cases that are not shared.

    `keyed` is true if at least one case has the metadata key by which the cases are clustered. `pair` has the
    differences, summed per cluster, and the coverage. If the metric weighs the tasks of a suite, `tasks` has the
    coverage of each task, and the coverage of `pair` is the lowest of these.
    """

    cases_in_both: int
    only_baseline: int
    only_here: int
    questions_differ: int
    references_changed: int
    compared: int
    better: int
    worse: int
    zeros: int
    baseline_zeros: int
    mean_here: float | None
    mean_baseline: float | None
    measured: int
    completed: int
    baseline_measured: int
    keyed: bool
    pair: GatePair
    passes: PairedPasses
    tasks: Sequence[TaskCoverage] = ()


@dataclass(frozen=True)
class EvaluatorPairs:
    """The comparison of a column (a target of a run) with the baseline by the scores of one evaluator."""

    evaluator: ComparedEvaluator
    paired: PairedColumn


class MetricKind(StrEnum):
    SCORE = "score"
    PASS_RATE = "pass_rate"  # noqa: S105  # a metric
    COST = "cost"
    LATENCY = "latency"
    EVALUATOR = "evaluator"


@dataclass(frozen=True)
class Metric:
    """A metric to compare columns (targets of runs) by. `revision` is set only if the metric is an evaluator's score
    (`EVALUATOR`).

    With `tasks`, only the cases of these tasks of a suite are compared. The same measure (primary revisions with their
    weights) has to have scored these tasks in all columns. With `task_weights`, one per task, the mean of a column is
    the weighted mean of its tasks' means. Otherwise it is the mean over its cases.

    With `counts_every_case`, the cases of other tasks are read, too. They count in the numbers of cases and in the
    passes, but not in the difference of scores. The overall scores of the columns then have to be comparable.
    """

    kind: MetricKind
    revision: UUID | None = None
    tasks: tuple[str, ...] | None = None
    task_weights: tuple[float, ...] | None = None
    counts_every_case: bool = False


SCORE = Metric(MetricKind.SCORE)


@dataclass(frozen=True)
class OwnValues:
    """The values of a single column (a target of a run), without a baseline: a sample of its clusters, each case with
    the values of its epochs.

    `weights` has the weight of each case of the sample in the mean; it is `None` if each counts the same.

    The other fields describe the entire column, not only the sample. `clusters` counts clusters with a value, and
    `cases` counts all cases. `covered` sums, over the cases, the share of epochs that have a value. `measured` counts
    the values, except those of answers that the model itself failed to give. `mean` is over cases; it is `None` without
    a value. `keyed` is true if at least one case has the metadata key by which the cases are clustered.
    """

    sample: Sequence[Cluster]
    clusters: int
    cases: int
    covered: float
    measured: int
    mean: float | None
    keyed: bool
    weights: Sequence[Sequence[float]] | None = None


@dataclass(frozen=True)
class SharedScores:
    """The mean scores (0…1) of columns (targets of runs) over the cases that are scored in all of them.

    `overall` has one mean per column, or `None` per column if there is no such case. `categories` has the same by
    category, or by task if the columns belong to a suite. If `of_suite` is true, `overall` has the scores of the suite,
    which weighs its tasks.
    """

    cases: int
    overall: Sequence[float | None]
    categories: Mapping[str, Sequence[float]]
    of_suite: bool = False
