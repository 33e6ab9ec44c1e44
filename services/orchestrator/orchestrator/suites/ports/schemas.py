"""The schemas in which suite runs are returned: the scores of a suite, and the run as `/v1/benchmarks` shows it."""

from enum import StrEnum
from typing import Literal
from uuid import UUID

from pydantic import BaseModel, Field

from llmbench.contracts.base import Tidy, UtcTime
from llmbench.contracts.run_words import RunStatus, TaskGateStatus
from llmbench.contracts.suite import Aggregation, TaskGate
from orchestrator.results.ports.figure_schemas import Interval
from orchestrator.results.ports.source_schemas import SampleOut


class TaskState(StrEnum):
    """The state of a task for one target. FAILED: the task is over, and none of its answers was completed. SKIPPED: a
    gate failed, so the target was not asked the task's cases."""

    WAITING = "WAITING"
    RUNNING = "RUNNING"
    COMPLETED = "COMPLETED"
    FAILED = "FAILED"
    SKIPPED = "SKIPPED"


class ScoreOut(BaseModel):
    """A score from 0 to 1 with its 95 % interval. `note` says why there is no score or no interval, or how the interval
    was estimated if all scores of a task are equal."""

    score: Tidy | None
    interval: Interval | None
    note: str | None


class SuiteTaskOut(BaseModel):
    """A task of a suite run. Its source has `source_cases` cases; the run uses `cases` of them."""

    name: str
    category: str
    level: int = Field(description="Tasks of a lower level are asked first.")
    after: list[str]
    gate: list[TaskGate] = Field(description="The task is skipped for a target unless each of these passes.")
    source_name: str
    source_version: int | None
    source_cases: int
    cases: int
    epochs: int
    weight: float
    sample: SampleOut | None
    estimated_seconds: float | None


class TaskGateOut(BaseModel):
    """A gate before a task, for one target. The task is asked only if another one, `task`, scores at least `min_score`.

    `score` is the mean of that other task over its `scored` answers when the gate was decided; null without any.
    """

    task: str
    min_score: Tidy
    status: TaskGateStatus
    score: Tidy | None
    scored: int


class TaskResultOut(ScoreOut):
    """The result of a task for one target. `scored` is the denominator of `score`, `verdicts` that of `pass_rate`."""

    task: str
    category: str
    state: TaskState
    items: int
    completed: int
    failed: int
    skipped: int
    gates: list[TaskGateOut]
    skipped_because: str | None = Field(description="Why the task was skipped; null if it was not.")
    scored: int
    clusters: int
    verdicts: int
    passed: int
    pass_rate: Tidy | None
    pass_rate_interval: Interval | None
    cost_usd: Tidy | None = Field(description="The cost of the answers with a known price; null if none has one.")


class CategoryScoreOut(ScoreOut):
    category: str
    tasks: list[str] = Field(description="The tasks with a score.")


class MissingTask(BaseModel):
    task: str
    reason: str


class SuiteResultOut(ScoreOut):
    """The result of a suite for one target.

    `score` covers only the tasks that have a score. If some have none, `complete` is false, and `score` cannot be
    compared with the score of a complete suite. `missing` names the tasks without a score, and `completeness` explains
    this in a sentence.
    """

    target_id: UUID
    label: str
    model: str
    complete: bool = Field(description="Whether every task of the suite has a score.")
    missing: list[MissingTask]
    completeness: str | None = Field(description="Null if the suite is complete.")
    scored: int
    items: int
    skipped: int = Field(description="How many of the items were not asked, because a gate failed.")
    categories: list[CategoryScoreOut]
    tasks: list[TaskResultOut]


class SuiteOfRun(BaseModel):
    """The scores of a suite run by target, category and task."""

    run_id: UUID
    run_status: RunStatus
    suite_id: UUID
    name: str
    version_number: int
    aggregation: Aggregation
    task_count: int = Field(description="All tasks of the suite, also those that the run left out.")
    left_out: list[str]
    tasks: list[SuiteTaskOut]
    targets: list[SuiteResultOut]


BenchmarkStatus = Literal["QUEUED", "RUNNING", "COMPLETED", "FAILED"]


class BenchmarkSuite(BaseModel):
    suite_id: UUID
    name: str
    version: str
    task_count: int


class BenchmarkSuiteOut(BaseModel):
    """A published suite, in its newest version; `suite_id` is the id of this version. `total_items` is the number of
    answers of one model. It leaves out tasks whose source was deleted."""

    suite_id: UUID
    name: str
    version: str
    task_count: int
    total_items: int
    categories: list[str]


class BenchmarkSuites(BaseModel):
    suites: list[BenchmarkSuiteOut]
    total: int
    has_more: bool


class BenchmarkModel(BaseModel):
    """A model of a suite run. Its `label` is that of the request. If the request gives none, the label is the model's
    name, and the version if the request names one: `llama3@2026-11`."""

    name: str
    version: str | None = Field(
        description="The version of the model, read from a label of the form `name@version`, which a request with a "
        "version and without a label gets. Null for any other label."
    )
    provider: str
    label: str


class BenchmarkProgress(BaseModel):
    """The progress of a suite run. `completed_items` counts all items that are over, including failed and skipped ones.
    `completed_tasks` counts tasks in the same way. A task counts once for each target."""

    total_tasks: int
    completed_tasks: int
    total_items: int
    completed_items: int


class BenchmarkTaskResult(BaseModel):
    """The result of a task. `items_evaluated` is the denominator of `score`. `items_correct` counts the answers that
    passed."""

    task_name: str
    category: str
    status: TaskState
    score: Tidy | None
    interval: Interval | None
    items_evaluated: int
    items_correct: int
    items_failed: int
    items_skipped: int
    skipped_because: str | None


class BenchmarkResults(BaseModel):
    overall_score: Tidy | None
    interval: Interval | None
    complete: bool
    note: str | None = Field(description="A sentence on what the score leaves out, or on why it has no interval.")
    tasks: list[BenchmarkTaskResult]


class BenchmarkModelResults(BaseModel):
    model: BenchmarkModel
    results: BenchmarkResults


class BenchmarkRun(BaseModel):
    """A suite run. `model` and `results` describe its first model, `models` describes all of its models."""

    run_id: UUID
    status: BenchmarkStatus
    run_status: RunStatus
    status_reason: str | None
    suite: BenchmarkSuite
    model: BenchmarkModel
    progress: BenchmarkProgress
    results: BenchmarkResults
    models: list[BenchmarkModelResults]
    cost_usd: Tidy
    created_at: UtcTime
    started_at: UtcTime | None
    completed_at: UtcTime | None


class PlannedTaskOut(BaseModel):
    """A task of the plan. `items` counts its answers over all models."""

    name: str
    category: str
    level: int
    after: list[str]
    gate: list[TaskGate]
    cases: int
    items: int
    estimated_seconds: Tidy | None


class BatchOut(BaseModel):
    """Tasks of one level that could run at the same time. The tasks of a level only have to wait for tasks of lower
    levels. `estimated_duration` is the time of the longest task in seconds."""

    batch_id: int
    level: int
    tasks: list[str]
    estimated_duration: Tidy | None


class PlanOut(BaseModel):
    """The plan of a suite run. Times are in seconds. They cover the answers, but not the judging.

    `total_estimated_duration` is the sum over the batches of `execution_plan`, as if all calls of a batch ran side by
    side. In fact the provider limits a run: `estimated_seconds` follows from the pace of each model's last answers.
    Estimates are null, with the reason in `notes`, until each model was measured once or each task of the suite states
    its own `estimated_seconds`.
    """

    suite: BenchmarkSuite
    models: list[BenchmarkModel]
    levels: list[list[str]]
    execution_plan: list[BatchOut]
    tasks: list[PlannedTaskOut]
    total_batches: int
    total_tasks: int
    total_items: int
    total_estimated_duration: Tidy | None
    estimated_seconds: Tidy | None
    estimated_cost_usd: Tidy | None = Field(description="The cost of the answers, without that of the judging.")
    notes: list[str]


class BenchmarkStarted(BaseModel):
    """The response to the start of a suite run. Each run begins as `QUEUED`; `run_status` is its status at the time of
    the response, which is `RUNNING` if no other run is active. `estimated_completion` is null until each model of this
    run, and of the runs before it in the queue, was measured once. Only this response contains `webhook_secret`, and
    only if the platform generated it."""

    run_id: UUID
    status: Literal["QUEUED"] = "QUEUED"
    run_status: RunStatus
    suite: BenchmarkSuite
    estimated_completion: UtcTime | None
    warnings: list[str]
    webhook_secret: str | None = None
