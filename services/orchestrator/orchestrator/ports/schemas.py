"""What `/api/runs` gives. States and rows are those of the events (llmbench.contracts)."""

from collections.abc import Sequence
from typing import Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from llmbench.contracts.base import Tidy, UtcTime
from llmbench.contracts.chat import SamplingParams
from llmbench.contracts.provider import ProviderType
from llmbench.contracts.run_event import RunEvent
from llmbench.contracts.run_logged import RunLogged
from llmbench.contracts.run_progressed import CurrentWork
from llmbench.contracts.run_words import ClusterLevel, GroupStatus, RunOutcome, RunPhase, RunStatus, RunType
from orchestrator.ports.figure_schemas import CategoryResult, Figures, Interval, TargetResult, TaskResult


class TargetOut(BaseModel):
    """Without `provider_id` its answers were given, and `provider_name` and `model` are what was said of them."""

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


class JudgeOut(BaseModel):
    provider_id: UUID
    provider_name: str
    model: str
    params: SamplingParams


class CollectionRef(BaseModel):
    id: UUID
    name: str


class RunCounts(BaseModel):
    """`answered` have an answer, `judged` are COMPLETED, `failed` are FAILED."""

    items: int
    answered: int
    judged: int
    failed: int


class RunWarning(BaseModel):
    """Something a reader of the results has to know."""

    kind: Literal[
        "self_judging",
        "same_family",
        "one_family",
        "cut_answers",
        "judge_not_asked",
        "unreadable_references",
        "columns",
    ]
    message: str


class PanelJudge(BaseModel):
    """One judge of a panel, and the revision as which it is among the run's evaluators."""

    revision_id: UUID
    provider_id: UUID
    model: str
    params: SamplingParams


class PanelOut(BaseModel):
    """Judges whose median is the score, where at least `quorum` of them gave one."""

    judges: list[PanelJudge]
    quorum: int


class EvaluatorRef(BaseModel):
    """One revision that scores (some of) a run. Those of one `name` answer the same question, each by
    another judge. `whole`: asked about every answer; `primary`: the one of its name whose scores the
    run's figures are made of. `member`: it is here as one of a panel's judges; the run's figures are the panel's."""

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
    only: dict[str, Any] | None = Field(default=None, description="The cases that it is asked about; null for all.")
    unless: dict[str, Any] | None = Field(default=None, description="The cases that it is not asked about.")


class DatasetVersionRef(BaseModel):
    """As it was called when the run was created; it may be gone since."""

    version_id: UUID
    dataset_id: UUID
    name: str
    version_number: int


class RunSummary(BaseModel):
    """`judge` is of the evaluators that name none themselves; null where none asks a model, or panels do.
    `mean_score` is the mean of the items' overall scores, normalised to 0…1: weighted means over the
    evaluators, by the judge of each that was asked last about the whole run. `cost_usd` sums the calls
    whose price is known, `unpriced_calls` counts the others."""

    id: UUID
    type: RunType
    name: str
    description: str | None
    tags: list[str]
    baseline_run_id: UUID | None
    warnings: list[RunWarning]
    cluster_by: str | None = Field(
        description="The metadata key of its cases that says which results belong together. Null is the coarsest one "
        "that nests: document, conversation, case."
    )
    cluster_level: ClusterLevel = Field(description="What the clusters of its figures are.")
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
    finished_at: UtcTime | None
    mean_score: Tidy | None


class RunPage(BaseModel):
    items: list[RunSummary]
    next_cursor: str | None


class GroupOut(BaseModel):
    """Without a provider it is the group of the scores that ask no model."""

    id: UUID
    phase: RunPhase
    provider_id: UUID | None
    provider_name: str
    provider_type: ProviderType | None
    model: str
    status: GroupStatus
    concurrency: int
    total: int
    done: int
    failed: int
    backoff_until: UtcTime | None
    failure_reason: str | None


class LengthBaseline(BaseModel):
    """Spearman's correlation of an answer's length in bytes with its score, over `answers`: a score that
    only follows the length measures nothing else. Null with the reason where it is not defined."""

    model_config = ConfigDict(from_attributes=True)

    spearman: Tidy | None
    answers: int
    undefined_because: str | None


class PanelAgreement(BaseModel):
    """How far the judges of a panel agree on the `answers` that at least two of them scored. `alpha` is Krippendorff's
    for interval data: 1 for always, 0 as by chance; null with the reason where it is not defined. It is low where
    answers hardly differ, however near the judges are: `mean_spread` is the mean standard deviation of an answer's
    scores, from 0 to 1."""

    model_config = ConfigDict(from_attributes=True)

    alpha: Tidy | None
    answers: int
    mean_spread: Tidy | None
    undefined_because: str | None


class JudgeFiguresOut(BaseModel):
    """How far the judge can be relied on. Of the `asked` verdicts `parse_rate` were read, `repair_rate` of them only
    after the one attempt to repair the reply. `swap_consistency` is the share of `swapped` comparisons that were judged
    alike in both orders; `self_agreement` the mean share of pairs of repeats on the same level, over `repeated`
    answers; `modes` how many of G-Eval's scores came about in each way. Null where nothing of that kind was asked."""

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
    """`asked` = scored + unparsed + refused + errored + `pending`. `scored` is the denominator of the mean,
    which is of scores normalised to 0…1, `verdicts` that of `pass_rate`. Intervals as those of the run's
    figures. `cost_usd` is of the evaluator's own calls."""

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
    agreement: PanelAgreement | None = Field(description="Of a panel.")
    judging: JudgeFiguresOut | None = Field(description="Figures of its judge; null where no judge was asked.")
    cost_usd: Tidy | None


class EvaluatorTargetOut(EvaluatorFigures):
    target_id: UUID
    label: str


class EvaluatorOut(EvaluatorRef, EvaluatorFigures):
    """One revision that scored (some of) the run, with its figures, and those per target."""

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


class RunDetail(RunSummary):
    """`tasks` is there when it was asked for (`include=tasks`). While a run of more than 5,000 items is active, its
    percentiles and length baselines may be of a while ago; when it is over all is exact and of now."""

    limits: RunLimits
    load: Literal["closed_loop"] = Field(
        default="closed_loop",
        description="How requests were made: a group has `concurrency` calls in flight, and the next is sent when one "
        "has ended. Times count from sending.",
    )
    groups: list[GroupOut]
    evaluators: Sequence[EvaluatorOut]
    totals: Figures
    results: list[TargetResult]
    categories: list[CategoryResult]
    tasks: list[TaskResult] | None
    current: CurrentWork | None
    last_seq: int


class TargetDistribution(BaseModel):
    """How many items of a target fell into each bin of the run's distribution."""

    target_id: UUID
    label: str
    model: str
    scores: list[int]
    times: list[int]


class JudgeCalls(BaseModel):
    """What the calls of one judge took; answers from the cache are not among them."""

    provider_id: UUID
    model: str
    calls: int
    mean_time_ms: float


class RunDistribution(BaseModel):
    """Histograms per target, of the same bins for all; as large for fifty items as for fifty thousand.

    `scores` counts the scores of the judge that speaks for the run, each at the nearest of
    `score_bins` (normalised). `times` counts answers that were timed between two neighbours of
    `time_edges_ms`, which grow by a factor; there are none before the first answer.
    """

    score_bins: list[float]
    time_edges_ms: list[float]
    targets: list[TargetDistribution]
    judges: list[JudgeCalls]


class RunLog(BaseModel):
    """Lines of a run's log, ascending; `next_after` asks for those that follow."""

    lines: list[RunLogged]
    next_after: int
    last_seq: int


class RunEvents(BaseModel):
    """A page of events, ascending; `next_seq` starts the next page."""

    events: list[RunEvent]
    next_seq: int
    last_seq: int
