"""The schemas of experiments: their rounds, plans and variants, and the assignment and observation of units. Those of
the results are in `result_schemas.py`."""

from typing import Any, Literal
from uuid import UUID

from pydantic import BaseModel, Field

from llmbench.contracts.base import Tidy, UtcTime
from llmbench.contracts.experiment_words import ExperimentStatus, ExperimentType, RoundStatus, StopRule
from llmbench.contracts.run_words import RunOutcome, RunStatus
from orchestrator.experiments.domain.words import Design, Method

DirectionWord = Literal["higher_is_better", "lower_is_better"]


class GuardrailMetric(BaseModel):
    """A guardrail of an experiment. If `relative` is true, the margin is a share of the control's mean."""

    metric: str
    margin: float
    direction: DirectionWord
    relative: bool


class ExperimentConfig(BaseModel):
    """The statistical configuration. If `maximum_sample_size` is null, the sample is planned at the start."""

    method: Method
    significance_level: float
    design: Design
    minimum_effect: float
    power: float
    minimum_sample_size: int | None
    maximum_sample_size: int | None
    maximum_duration_days: float | None
    maximum_cost_usd: float | None
    cluster_by: str | None
    round_size: int | None
    seed: int


class VariantOut(BaseModel):
    """A variant, with sums over its values of the primary metric. `config` is exactly what the client sent."""

    variant_id: UUID
    name: str
    is_control: bool
    traffic_allocation: float
    config: dict[str, Any]
    sample_count: int
    metric_sum: Tidy
    metric_sum_squares: Tidy
    missing_count: int = Field(description="Units without a value. They are never counted as 0.")
    out_reason: str | None = Field(description="Why the variant gets no further calls.")
    out_at: UtcTime | None
    created_at: UtcTime


class StopOut(BaseModel):
    """The automatic end of an experiment, by a rule that was set before the start."""

    rule: StopRule
    sentence: str
    at: UtcTime


class ConclusionOut(BaseModel):
    """The conclusion that a person declared, with the figures of the last analysis (`look`) at that time."""

    winner: str = Field(description="The id of a variant, or `no_winner`.")
    winner_name: str | None
    look: int | None
    confidence: float | None
    effect_size: float | None
    p_value: float | None
    probability_of_improvement: float | None
    notes: str | None
    declared_at: UtcTime
    declared_by: str | None = Field(description="The person; null without sign-in.")


class ExperimentProgress(BaseModel):
    """The work of an experiment so far. `planned` is the largest sample of a variant, in clusters. `done` counts the
    clusters of the rounds that are over, or the units observed. `saved_share` is the share of the planned calls that
    were not made, once the experiment has stopped."""

    planned: int | None
    done: int
    rounds: int
    looks: int
    cases: int = Field(description="The cases of the sources.")
    clusters: int
    cost_usd: Tidy
    calls: int
    planned_calls: int | None
    saved_share: float | None


class ExperimentOut(BaseModel):
    """An experiment with its variants and progress. `sources`, `evaluators`, `judge`, `panel` and `calls` are exactly
    what the client sent."""

    experiment_id: UUID
    name: str
    hypothesis: str | None
    notes: str | None
    type: ExperimentType
    status: ExperimentStatus
    status_reason: str | None = Field(description="Why the experiment is paused.")
    primary_metric: str
    direction: DirectionWord
    guardrail_metrics: list[GuardrailMetric]
    config: ExperimentConfig
    variants: list[VariantOut]
    sources: dict[str, Any] | Literal["none"] | None
    evaluators: list[dict[str, Any]] | None
    judge: dict[str, Any] | None
    panel: dict[str, Any] | None
    calls: dict[str, Any]
    progress: ExperimentProgress
    stopped: StopOut | None
    conclusion: ConclusionOut | None
    version: int
    created_at: UtcTime
    created_by: UUID | None
    updated_at: UtcTime
    started_at: UtcTime | None
    concluded_at: UtcTime | None


class ExperimentPage(BaseModel):
    experiments: list[ExperimentOut]
    total: int
    has_more: bool


class RoundOut(BaseModel):
    """A round with the state of its run. In a paired design, the run is that of all variants. In a split design, each
    variant has a run of its own, so there is one `RoundOut` for each variant."""

    round_id: UUID
    number: int
    attempt: int
    status: RoundStatus
    variant_ids: list[UUID]
    cases: int
    run_id: UUID | None
    run_status: RunStatus | None
    run_outcome: RunOutcome | None
    items: int
    items_done: int
    reason: str | None
    created_at: UtcTime
    ended_at: UtcTime | None


class RoundPage(BaseModel):
    rounds: list[RoundOut]
    total: int
    has_more: bool


class AssignmentOut(BaseModel):
    unit_id: str
    variant_id: UUID
    variant: str


class AssignmentsOut(BaseModel):
    assignments: list[AssignmentOut]


class ObservationsOut(BaseModel):
    """The number of observations that were stored (`accepted`), and the number that were ignored because they were
    already known (`duplicates`)."""

    accepted: int
    duplicates: int


class EffectPoint(BaseModel):
    """A possible effect in the plan: the sample that it needs, and the power with which the planned sample finds it."""

    effect: float
    sample_size: int | None = Field(description="Null if no number suffices.")
    power: float
    calls: int | None
    cost_usd: float | None


class VariantPlan(BaseModel):
    name: str
    cost_per_call_usd: float | None
    seconds_per_call: float | None


class ExperimentPlan(BaseModel):
    """The plan of an experiment. Costs and times include the judge, and are null where earlier runs of a model or of
    the judge are missing. The time is for the requested concurrency, with one model after another.

    `expected_calls` are those that a sequential experiment needs on average if the effect is the minimum effect.
    """

    sample_size: int | None = Field(
        description="Clusters of each variant that the minimum effect needs; null if no number suffices."
    )
    planned: int = Field(description="Clusters of each variant that are used: at most those of the sources.")
    cases: int
    clusters: int
    enough: bool
    power: float = Field(description="The power at the planned sample.")
    minimum_detectable_effect: float | None
    rounds: int
    round_size: int
    calls: int = Field(description="Calls of the variants' models.")
    judge_calls: int = Field(description="Verdicts of the judge, or of all judges of a panel, about these answers.")
    expected_calls: int | None
    cost_usd: float | None
    duration_s: float | None
    standard_deviation: float
    basis: str = Field(description="The source of the standard deviation.")
    method: str
    curve: list[EffectPoint]
    variants: list[VariantPlan]
    warnings: list[str]
