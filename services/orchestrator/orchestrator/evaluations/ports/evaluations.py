"""The ports of evaluations to the database and to NATS, and the responses of `/v1/evaluations`."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from pydantic import BaseModel, Field

from llmbench.contracts.base import Tidy, UtcTime
from llmbench.contracts.list_evaluators import EvaluatorInfo
from llmbench.contracts.run_words import RunStatus, RunType, WebhookStatus
from orchestrator.evaluations.domain.evaluation import (
    Answerer,
    BatchStatus,
    GivenAnswer,
    RunWord,
    Sampling,
    SingleStatus,
)
from orchestrator.kernel.domain.new_run import NewEvaluator, NewRun
from orchestrator.runs.domain.schedule import Model
from orchestrator.runs.domain.self_judging import Warning


@dataclass(frozen=True)
class OutputOf:
    """An output from a line of a file, for the case `case_name` of a dataset version."""

    line: int
    case_name: str
    output: str


@dataclass(frozen=True)
class Outputs:
    """The answers of an evaluation, or where to read them.

    Either the request contains all answers with their cases: these are `given`, and `digests` are the content hashes of
    the cases. Or the answers belong to the cases of the dataset version `version_id`. Then `from_file` has the answers
    of an uploaded file; if it is null, the field `field` of each case's metadata is the answer. `warnings` are about
    reading the file.
    """

    given: Sequence[GivenAnswer] = ()
    digests: Sequence[bytes] = ()
    version_id: UUID | None = None
    from_file: Sequence[OutputOf] | None = None
    field: str = "output"
    warnings: Sequence[str] = ()


@dataclass(frozen=True)
class NewEvaluation:
    """An evaluation to create: its run, its resolved evaluators, and its answers. `providers` are the ids of the
    judges' providers. `kept` are the models that must stay loaded at its end, because another run uses them. Each
    answer is judged `epochs` times; that is only possible for answers without conversations."""

    run: NewRun
    evaluators: Sequence[NewEvaluator]
    providers: frozenset[UUID]
    warnings: Sequence[Warning]
    answerer: Answerer
    outputs: Outputs
    sampling: Sampling | None = None
    kept: frozenset[Model] = frozenset()
    epochs: int = 1


class MetricSummary(BaseModel):
    """A summary of one metric's scores, normalised to 0…1. `scored` is the number of scores; if it is 0, the other
    fields are null. `p50` and `p95` are percentiles."""

    scored: int
    mean: Tidy | None
    p50: Tidy | None
    p95: Tidy | None


class MetricResult(BaseModel):
    """The result of one metric. `raw` is the score on the metric's own scale; it is null if there is none."""

    metric: str
    raw: float | None
    scale_min: float
    scale_max: float
    passed: bool | None
    judge_model: str | None
    details: dict[str, Any]


class EvaluationOut(BaseModel):
    """An evaluation of one output. `scores` are normalised to 0…1; `results` have the same scores on the metrics' own
    scales.

    `errors` has the reason for each metric without a score. `latency_ms` is the time from the start of scoring to its
    end, without the time in the queue; null before the end.
    """

    evaluation_id: UUID
    status: SingleStatus
    scores: dict[str, Tidy]
    reasoning: dict[str, str]
    errors: dict[str, str]
    passed: bool | None
    results: list[MetricResult]
    metadata: dict[str, Any]
    warnings: list[str]
    latency_ms: int | None
    cost_usd: Tidy
    created_at: UtcTime
    run_status: RunStatus


class BatchProgress(BaseModel):
    total: int
    completed: int
    failed: int


class WebhookOut(BaseModel):
    """A webhook. Its secret is never returned."""

    webhook_id: UUID
    url: str
    status: WebhookStatus
    attempts: int
    last_error: str | None
    next_attempt_at: UtcTime | None
    delivered_at: UtcTime | None


class SampledOut(BaseModel):
    """The sampling of a batch's outputs. `of` is the number of outputs before sampling. The same seed selects the
    same cases again."""

    rate: float
    strategy: str
    stratify_by: str | None
    seed: int
    of: int


class BatchOut(BaseModel):
    """A batch with its progress and its summarised scores. A paused batch has the status `running`.

    `estimated_completion` extrapolates the progress so far. It is null before the first result, and while `run_status`
    is not RUNNING.
    """

    job_id: UUID
    name: str
    status: BatchStatus
    progress: BatchProgress
    summary_scores: dict[str, MetricSummary]
    total_cost_usd: Tidy
    parallelism: int | None = Field(description="Judge calls in flight; null where no model is asked.")
    sample: SampledOut | None
    dataset_version_id: UUID | None
    webhook: WebhookOut | None
    warnings: list[str]
    estimated_completion: UtcTime | None
    created_at: UtcTime
    started_at: UtcTime | None
    completed_at: UtcTime | None
    run_status: RunStatus


class EvaluationRunOut(BaseModel):
    """A run in the list of `/v1/evaluations`. `summary_scores` has the mean score of each metric, normalised to 0…1."""

    run_id: UUID
    org_id: UUID
    name: str
    type: RunType
    status: RunWord
    dataset_version_id: UUID | None
    baseline_run_id: UUID | None
    experiment_id: UUID | None = Field(default=None, description="The experiment whose round the run is.")
    config: dict[str, Any]
    total_items: int
    completed_items: int
    failed_items: int
    summary_scores: dict[str, Tidy | None]
    total_cost_usd: Tidy
    created_at: UtcTime
    started_at: UtcTime | None
    completed_at: UtcTime | None
    run_status: RunStatus


@dataclass(frozen=True)
class EvaluationFilter:
    """A filter of runs. Fields that are null do not restrict the runs."""

    status: RunWord | None = None
    type: RunType | None = None
    dataset_version_id: UUID | None = None
    experiment_id: UUID | None = None
    created_after: datetime | None = None
    created_before: datetime | None = None


class MetricCatalogue(Protocol):
    async def list(self) -> Sequence[EvaluatorInfo]:
        """List the evaluators. Raises a 503 `Problem` when the judge service does not answer."""
        ...


class EvaluationReader(Protocol):
    async def evaluation(self, run_id: UUID) -> EvaluationOut | None: ...

    async def batch(self, run_id: UUID, *, now: datetime) -> BatchOut | None: ...

    async def page(self, chosen: EvaluationFilter, *, limit: int, offset: int) -> tuple[list[EvaluationRunOut], int]:
        """Return a page of the runs that `chosen` selects, newest first, and the total number of these runs."""
        ...


class Ending(Protocol):
    async def wait(self, timeout_s: float) -> None:
        """Wait until the run is finished, cancelled or paused, or until `timeout_s` seconds have passed."""
        ...


class RunWatch(Protocol):
    def ending(self, run_id: UUID) -> AbstractAsyncContextManager[Ending]:
        """Subscribe to the events that end or pause a run. Once the context is entered, no such event is missed. Raises
        a 503 `Problem` when NATS does not answer."""
        ...
