"""Paired results of two columns over the same cases, as the database returns them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from pydantic import BaseModel

from orchestrator.comparison.domain.coverage import GatePair
from orchestrator.comparison.domain.gate_check import Cluster


class ComparedEvaluator(BaseModel):
    """An evaluator with one revision that scored both columns.

    `weight` and `gates` are the baseline's. An evaluator gates when its score is required or has a pass threshold.
    """

    name: str
    title: str
    kind: str
    judge_model: str | None
    weight: float
    gates: bool


@dataclass(frozen=True)
class PairedPasses:
    """The numbers of cases that pass in only one of two columns: `gained` in this column, `lost` in the baseline."""

    pair: GatePair
    gained: int
    lost: int


@dataclass(frozen=True)
class PairedColumn:
    """The sums over the pairs of one column with the baseline, by one metric. A pair is one case with its value in both
    columns.

    `compared` cases have a difference; it is 0 if different judges scored the columns. The means are over these cases.
    `zeros` counts the answers that count as 0 because the model refused or gave a malformed one. `measured` counts the
    column's other values, `completed` its completed items. `keyed`: at least one case has the metadata key by which the
    cases are clustered.
    """

    cases_in_both: int
    only_baseline: int
    only_here: int
    questions_differ: int
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


@dataclass(frozen=True)
class EvaluatorPairs:
    """The pairs of one column with the baseline, by the scores of one evaluator."""

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
    """A metric to compare columns by. `revision` is set if the metric is an evaluator's score."""

    kind: MetricKind
    revision: UUID | None = None


SCORE = Metric(MetricKind.SCORE)


@dataclass(frozen=True)
class OwnValues:
    """The values of a single column, without a baseline: a sample of its clusters, each case with the values of its
    epochs.

    `clusters` and `cases` count the entire column, not only the sample. `covered` sums, over the cases, the share of
    epochs that have a value.
    """

    sample: Sequence[Cluster]
    clusters: int
    cases: int
    covered: float
    measured: int
    mean: float | None
    keyed: bool


@dataclass(frozen=True)
class SharedScores:
    """Mean scores (0…1) over the cases that all columns scored, in the order of the columns."""

    cases: int
    overall: Sequence[float | None]
    categories: Mapping[str, Sequence[float]]
