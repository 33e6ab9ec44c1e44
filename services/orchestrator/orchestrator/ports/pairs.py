"""Results of the same cases in two columns, paired by the database."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from pydantic import BaseModel

from orchestrator.domain.comparison.coverage import GatePair
from orchestrator.domain.comparison.gate_check import Cluster


class ComparedEvaluator(BaseModel):
    """One that both columns were scored by: the same revision of it. `weight` and `gates` are the baseline's: it gates
    when its score is required, or has a pass threshold."""

    name: str
    title: str
    kind: str
    judge_model: str | None
    weight: float
    gates: bool


@dataclass(frozen=True)
class PairedPasses:
    """`gained` cases pass only in the column, `lost` only in the baseline."""

    pair: GatePair
    gained: int
    lost: int


@dataclass(frozen=True)
class PairedColumn:
    """What the cases of one column come to against the baseline's, by one metric. `compared` of them have a difference;
    none where the judges differ. The means are over these cases. `zeros` are answers that failed by the model's own
    doing. `measured` counts the values of the column that are not such zeros, `completed` its completed items.
    `keyed`: a case has the metadata key."""

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
    """As in `PairedColumn`, by one evaluator."""

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
    """What is compared; `revision` is that of an evaluator."""

    kind: MetricKind
    revision: UUID | None = None


SCORE = Metric(MetricKind.SCORE)


@dataclass(frozen=True)
class OwnValues:
    """What the cases of one column are measured with: a sample of its clusters, each case with the values of its
    epochs. `clusters` and `cases` count all of them; `covered` is the sum of the cases' shares that have a value."""

    sample: Sequence[Cluster]
    clusters: int
    cases: int
    covered: float
    measured: int
    mean: float | None
    keyed: bool


@dataclass(frozen=True)
class SharedScores:
    """What columns score in the cases that are scored in all of them: means on 0…1, in the order of the columns."""

    cases: int
    overall: Sequence[float | None]
    categories: Mapping[str, Sequence[float]]
