"""The responses of `/api/runs`. Values that a run's events have as well, such as statuses and log lines, use the Python
types of the events, from `llmbench.contracts`."""

from collections.abc import Sequence
from typing import Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from llmbench.contracts.base import Tidy, UtcTime
from llmbench.contracts.chat import SamplingParams
from llmbench.contracts.run_logged import RunLogged
from llmbench.contracts.run_progressed import CurrentWork
from llmbench.contracts.run_words import ClusterLevel, GroupStatus, RunOutcome, RunPhase, RunStatus, RunType
from llmbench.http.created_by import CreatedBy
from orchestrator.results.ports.figure_schemas import (
    CategoryResult,
    CostParts,
    Figures,
    Interval,
    TagResult,
    TargetResult,
    TargetScore,
    TaskResult,
)
from orchestrator.results.ports.gate_schemas import DecidedGate, SubjectOut, VerdictOnRun
from orchestrator.results.ports.schedule_schemas import ExperimentRef, ScheduleRef
from orchestrator.results.ports.source_schemas import CollectionRef, DatasetVersionRef, PromptRef, SampleOut, SuiteRef


class TargetOut(BaseModel):
    """A target in the API. If `provider_id` is null, the answers were supplied, and `provider_name` and `model` are the
    client's description."""

    id: UUID
    label: str
    provider_id: UUID | None
    provider_name: str
    model: str
    params: SamplingParams
    epochs: int
    timeout_s: float
    max_attempts: int
    use_cache: bool
    prompt: PromptRef | None = Field(default=None, description="The prompt that makes the messages of each case.")


class JudgeOut(BaseModel):
    provider_id: UUID
    provider_name: str
    model: str
    params: SamplingParams


class RunCounts(BaseModel):
    """Counts of items: `answered` items have an answer, `judged` items are COMPLETED, `failed` ones FAILED.

    `skipped` items were not asked, because a gate between tasks of their suite failed.
    """

    items: int
    answered: int
    judged: int
    failed: int
    skipped: int = 0


class RunWarning(BaseModel):
    """A warning about the run that matters for the interpretation of its results."""

    kind: Literal[
        "self_judging",
        "same_family",
        "one_family",
        "cut_answers",
        "judge_not_asked",
        "unreadable_references",
        "columns",
        "adapted_request",
        "repeated_secret",
        "budget_nearly_spent",
        "no_room",
    ]
    message: str


class PanelJudge(BaseModel):
    """One judge of a panel, and the evaluator revision by which it scores."""

    revision_id: UUID
    provider_id: UUID
    model: str
    params: SamplingParams


class PanelOut(BaseModel):
    """A panel of judges. Its score is the median, if at least `quorum` judges gave a score."""

    judges: list[PanelJudge]
    quorum: int


class EvaluatorRef(BaseModel):
    """An evaluator revision that scores a run, or some of its items.

    Revisions of one `name` answer the same question by different judges. If `whole` is true, the revision scores every
    answer of the run. The run's statistics and item scores use the `primary` revision; `POST /api/runs/{id}/promote`
    chooses another. A `member` is one judge of a panel; the statistics use the panel's score instead. `corrects` is the
    judge's revision whose scores this revision copies, except where people overruled the judge.
    """

    name: str
    title: str
    kind: str
    revision_id: UUID
    judge_provider_id: UUID | None
    judge_model: str | None
    weight: float
    required: bool
    pass_threshold: float | None = Field(description="On the evaluator's own scale.")
    scale_min: float
    scale_max: float
    whole: bool
    primary: bool
    member: bool
    panel: PanelOut | None
    corrects: UUID | None = None
    only: dict[str, Any] | None = Field(default=None, description="The cases that it scores; null for all.")
    unless: dict[str, Any] | None = Field(default=None, description="The cases that it does not score.")


class QueuePlace(BaseModel):
    """The position of a QUEUED run in the queue, counted from 1, and the time at which it is expected to start.

    The time is null as long as a run ahead in the queue uses a model of unknown speed.
    """

    position: int
    priority: int
    estimated_start: UtcTime | None


class RunSummary(BaseModel):
    """A run in a list.

    `judge` is the judge of evaluators without their own; it is null if no evaluator needs it. `mean_score` is the mean
    of overall scores, normalised to 0…1. An overall score is the weighted mean over evaluators, each by its primary
    revision.

    `took_s` is the total of the finished periods of work: each lasts from the start or a reopening to the end, pauses
    included. `cost_usd` is the cost of the calls with a known price; `unpriced_calls` counts the others.
    """

    id: UUID
    type: RunType
    name: str
    description: str | None
    tags: list[str]
    baseline_run_id: UUID | None
    warnings: list[RunWarning]
    cluster_by: str | None = Field(
        description="The metadata key of its cases that groups dependent results. Null is the coarsest of "
        "document, conversation and case."
    )
    cluster_level: ClusterLevel = Field(description="The clusters of its figures.")
    max_cost_usd: float | None
    cost_usd: Tidy
    unpriced_calls: int
    status: RunStatus
    phase: RunPhase
    outcome: RunOutcome | None
    status_reason: str | None
    judge: JudgeOut | None
    evaluators: Sequence[EvaluatorRef]
    targets: list[TargetOut]
    collections: list[CollectionRef]
    dataset_versions: list[DatasetVersionRef]
    counts: RunCounts
    show_choices: bool = Field(default=True, description="Whether choices were appended to the questions.")
    created_at: UtcTime
    started_at: UtcTime | None
    reopened_at: UtcTime | None = Field(description="The last time when a finished run was reopened.")
    finished_at: UtcTime | None
    took_s: float
    mean_score: Tidy | None
    target_scores: Sequence[TargetScore] = Field(
        default=(), description="In the order of the targets; empty until something is counted."
    )
    cases: int = Field(default=0, description="How many cases each target answers, in each epoch.")
    sample: SampleOut | None = Field(default=None, description="Null if the run has every case of its sources.")
    queue: QueuePlace | None = Field(default=None, description="Set while the run is QUEUED.")
    created_by: CreatedBy = None
    schedule: ScheduleRef | None = Field(default=None, description="The schedule that started the run.")
    experiment: ExperimentRef | None = Field(default=None, description="The experiment that the run is a round of.")
    subject: SubjectOut | None = Field(default=None, description="Its end is compared with the subject's baselines.")
    baseline_label: str | None = Field(default=None, description="The only baseline that counts; null for all.")
    gate: VerdictOnRun | None = Field(
        default=None, description="Null if no gate applies, or until the run has finished."
    )
    suite: SuiteRef | None = Field(default=None, description="The suite of which this is a run.")


class GroupOut(BaseModel):
    """A group of a run: the calls of one model in one phase. The group without a provider has the scores by
    evaluators that call no model."""

    id: UUID
    phase: RunPhase
    provider_id: UUID | None
    provider_name: str
    provider_type: str | None
    model: str
    status: GroupStatus
    concurrency: int
    total: int
    done: int
    failed: int
    opened_at: UtcTime | None = Field(description="When the group began. Null while it waits, and after a retry.")
    backoff_until: UtcTime | None
    backoff_reason: str | None
    out_of_credit_reason: str | None
    failure_reason: str | None


class LengthBaseline(BaseModel):
    """Spearman's correlation of the answers' lengths in bytes with their scores. `answers` is the number of answers.

    A score that only follows the length measures nothing else. If the correlation is undefined, it is null, and
    `undefined_because` gives the reason.
    """

    model_config = ConfigDict(from_attributes=True)

    spearman: Tidy | None
    answers: int
    undefined_because: str | None


class PanelAgreement(BaseModel):
    """The agreement of a panel's judges on the `answers` that at least two of them scored.

    `alpha` is Krippendorff's alpha for interval data: 1 for perfect agreement, 0 for agreement by chance. If it is
    undefined, it is null, and `undefined_because` gives the reason. Alpha is low if all answers have similar scores,
    even if the judges are close. `mean_spread` is the mean standard deviation of an answer's scores, from 0 to 1.
    """

    model_config = ConfigDict(from_attributes=True)

    alpha: Tidy | None
    answers: int
    mean_spread: Tidy | None
    undefined_because: str | None


class JudgeFiguresOut(BaseModel):
    """The reliability of a judge. A rate is null if its denominator is 0.

    `parse_rate` is the share of the `asked` verdicts that could be read. `repair_rate` is the share that could be read
    only after the one attempt to repair the reply. `swap_consistency` is the share of `swapped` comparisons with the
    same result in both orders. `repeated` answers were scored several times by the same judge. `self_agreement` is the
    share of pairs of an answer's scores that round to the same whole number, averaged over these answers. `modes`
    counts G-Eval's scores by the method with which they were obtained.
    """

    model_config = ConfigDict(from_attributes=True)

    asked: int
    parse_rate: float | None
    repair_rate: float | None
    swapped: int
    swap_consistency: float | None
    repeated: int
    self_agreement: float | None
    modes: dict[str, int]


class EvaluatorFigures(BaseModel):
    """The statistics of an evaluator's scores.

    `asked` = scored + unparsed + refused + errored + `pending`. `scored` is the denominator of the mean of scores
    normalised to 0…1; `verdicts` is the denominator of `pass_rate`. Intervals take into account that the results of a
    cluster depend on each other (see `Figures`). `cost_usd` covers the calls of the evaluator's judge.
    """

    asked: int
    scored: int
    unparsed: int
    refused: int
    errored: int
    pending: int
    verdicts: int
    clusters: int
    mean_score: Tidy | None
    mean_score_interval: Interval | None
    pass_rate: Tidy | None
    pass_rate_interval: Interval | None
    length_baseline: LengthBaseline
    agreement: PanelAgreement | None = Field(description="The agreement of a panel's judges; null if it is no panel.")
    judging: JudgeFiguresOut | None = Field(description="Figures of its judge; null if it asked none.")
    cost_usd: Tidy | None


class EvaluatorTargetOut(EvaluatorFigures):
    target_id: UUID
    label: str


class EvaluatorOut(EvaluatorRef, EvaluatorFigures):
    """An evaluator revision of a run, with its statistics over all targets and per target."""

    params: dict[str, Any]
    schema_name: str
    schema_version: str
    prompt_hash: str
    targets: list[EvaluatorTargetOut]


class RunLimits(BaseModel):
    concurrency: int
    timeout_s: float
    max_attempts: int
    max_backoff_s: float
    max_conversation_history: int
    parallel_groups: int


class RunDetail(RunSummary):
    """A run in detail. `tasks` is set only if requested (`include=tasks`). `current` is the work in progress, as of the
    run's last progress event; it is null while the run is not active. `others` is the work of other groups at the same
    time.

    The statistics may be slightly outdated while a run of more than 5,000 items is active, and for any run while the
    disk is full. Otherwise they are exact.
    """

    limits: RunLimits
    gates: list[DecidedGate] = Field(description="The gates by which the run was compared.")
    load: Literal["closed_loop"] = Field(
        default="closed_loop",
        description="How requests were made: a group has `concurrency` calls in flight, and the next is sent when one "
        "has ended. Times count from sending.",
    )
    groups: list[GroupOut]
    evaluators: Sequence[EvaluatorOut]
    totals: Figures
    cost_parts: CostParts | None
    results: list[TargetResult]
    categories: list[CategoryResult]
    tasks: list[TaskResult] | None
    case_tags: list[TagResult] | None = Field(
        default=None, description="The 200 tags of the most items, by name; only with `include=case_tags`."
    )
    current: CurrentWork | None
    others: Sequence[CurrentWork]
    last_seq: int


class RunLog(BaseModel):
    """Lines of a run's log, ascending. Send `next_after` as `after` to get the following lines."""

    lines: list[RunLogged]
    next_after: int
    last_seq: int
