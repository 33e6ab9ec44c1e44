"""The request bodies of `/v1/experiments`."""

from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field, field_validator, model_validator

from llmbench.contracts.experiment_words import ExperimentType
from orchestrator.experiments.domain.words import Design, Method
from orchestrator.runs.api.bodies import (
    Attempts,
    ClusterBy,
    Concurrency,
    Evaluators,
    JudgeChoice,
    ModelName,
    PanelChoice,
    ParallelGroups,
    Params,
    Timeout,
)
from orchestrator.runs.api.input import Input
from orchestrator.runs.api.plan_bodies import Priority

MOST_UNITS = 1_000
MOST_OBSERVATIONS = 1_000
MAX_SEED = 2**31 - 1

Name = Annotated[str, Field(min_length=1, max_length=255)]
Notes = Annotated[str, Field(max_length=10_000)]
MetricName = Annotated[
    str,
    Field(
        min_length=1,
        max_length=60,
        description="`score`, `pass_rate`, `latency`, `cost`, or the name of an evaluator, such as `faithfulness`.",
    ),
]
Number = Annotated[float, Field(allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
SampleSize = Annotated[int, Field(ge=2, le=1_000_000)]
UnitId = Annotated[str, Field(min_length=1, max_length=255, description="The id of a user, a session, a request.")]


class GuardrailIn(Input):
    """A metric that must not get worse than the control's by `margin` or more. The margin of `cost` and `latency` is a
    share of the control's mean; that of other metrics is a difference."""

    metric: MetricName
    margin: float | None = Field(
        default=None,
        gt=0,
        le=10,
        allow_inf_nan=False,
        description="By default 0.05, and 0.1 for `cost` and `latency`.",
    )
    direction: Literal["higher_is_better", "lower_is_better"] | None = Field(
        default=None, description="By default `lower_is_better` for `cost` and `latency` only."
    )


class ConfigIn(Input):
    """The statistical configuration of an experiment."""

    method: Method = Field(
        default=Method.SEQUENTIAL,
        description="Only `sequential` stops early. `frequentist` and `bayesian` decide once, when the planned sample "
        "is complete.",
    )
    significance_level: float = Field(default=0.05, ge=0.001, le=0.5, allow_inf_nan=False)
    design: Design | None = Field(
        default=None,
        description="`paired`, the default: every variant answers the same cases. `split`: each case, or each unit "
        "outside llmbench, gets one variant, by `traffic_allocation`. Bandits and observations have it by default.",
    )
    minimum_effect: float = Field(
        default=0.05,
        gt=0,
        le=1,
        allow_inf_nan=False,
        description="The smallest difference of the primary metric that matters. For `cost` and `latency`, it is a "
        "share of the control's mean.",
    )
    power: float = Field(
        default=0.8, ge=0.5, le=0.99, description="The probability of finding the minimum effect, if it is there."
    )
    minimum_sample_size: SampleSize | None = Field(
        default=None,
        description="The fewest clusters of each variant before any decision. A cluster is a case, or several cases "
        "that depend on each other.",
    )
    maximum_sample_size: SampleSize | None = Field(
        default=None,
        description="The planned sample of each variant. By default the number that the minimum effect needs, at most "
        "all cases.",
    )
    maximum_duration_days: float | None = Field(default=None, gt=0, le=3650, allow_inf_nan=False)
    maximum_cost_usd: float | None = Field(default=None, gt=0, le=1_000_000, allow_inf_nan=False)
    cluster_by: ClusterBy | None = None
    round_size: int | None = Field(
        default=None,
        ge=1,
        le=100_000,
        description="Clusters of a round. By default a twentieth of the planned sample, at least 10; all at once for "
        "a method that looks only once.",
    )
    seed: int | None = Field(
        default=None, ge=0, le=MAX_SEED, description="Orders the cases and assigns units. By default a random one."
    )


class VariantModel(Input):
    """The model of a variant. `version` is shown to users and has no other effect."""

    provider_id: UUID | None = Field(default=None, description="Needed to start, unless `sources` is `none`.")
    name: ModelName
    version: str | None = Field(default=None, min_length=1, max_length=60)


class VariantConfig(Input):
    """The configuration of a variant: its model, parameters, system prompt and prompt version."""

    model: VariantModel | None = None
    parameters: Params = Field(default_factory=Params)
    system_prompt: str | None = Field(default=None, max_length=100_000)
    prompt_version: str | None = Field(
        default=None,
        min_length=1,
        max_length=255,
        description="Only shown: the name of a prompt's version that is kept outside llmbench.",
    )
    prompt_version_id: UUID | None = Field(default=None, description="The version of a prompt that is rendered.")


class VariantIn(Input):
    name: Annotated[str, Field(min_length=1, max_length=60, pattern=r"^[^\x00-\x1f\x7f]+$")]
    is_control: bool = False
    traffic_allocation: Share | None = Field(
        default=None, description="By default equal shares. Either all variants have one, or none; they add up to 1."
    )
    config: VariantConfig = Field(default_factory=VariantConfig)


class SourcesIn(Input):
    """The sources of an experiment's cases: collections and dataset versions."""

    collection_ids: list[UUID] = Field(default_factory=list, max_length=100)
    dataset_version_ids: list[UUID] = Field(default_factory=list, max_length=100)


class CallsIn(Input):
    """The settings with which the runs of the rounds call models. They mean the same as in `POST /api/runs`."""

    concurrency: Concurrency = 1
    parallel_groups: ParallelGroups = 1
    timeout_s: Timeout | None = None
    max_attempts: Attempts | None = None
    allow_self_judging: bool = False
    check_providers: bool = Field(
        default=True, description="Ask each provider for its models when the experiment starts."
    )
    priority: Priority = 0


class ExperimentIn(Input):
    """An experiment to create or to replace: its variants, metrics, cases, and statistical configuration."""

    name: Name
    hypothesis: Annotated[str, Field(max_length=10_000)] | None = None
    type: ExperimentType = ExperimentType.AB_TEST
    primary_metric: MetricName
    guardrail_metrics: list[MetricName | GuardrailIn] = Field(default_factory=list, max_length=20)
    config: ConfigIn = Field(default_factory=ConfigIn)
    variants: list[VariantIn] = Field(min_length=2, max_length=10)
    sources: SourcesIn | Literal["none"] | None = Field(
        default=None,
        description="The cases. `none`: the experiment is run elsewhere, and observations are sent. Null only in a "
        "draft.",
    )
    evaluators: Evaluators | None = Field(
        default=None,
        description="By default the evaluators that the metrics name. If they name none: `case_checks` for cases with "
        "checks, and the rubric for the others.",
    )
    judge: JudgeChoice | None = None
    panel: PanelChoice | None = None
    calls: CallsIn = Field(default_factory=CallsIn)
    notes: Notes | None = None

    @model_validator(mode="after")
    def _judge_or_panel(self) -> "ExperimentIn":
        if self.judge is not None and self.panel is not None:
            raise ValueError("judge and panel exclude each other: the judge can be one of the panel")
        return self


class PlanExperiment(ExperimentIn):
    """An experiment to plan. By default, the standard deviation is estimated from earlier results of the same metric
    and design. Without such results, a default value is assumed."""

    name: Name = "plan"
    standard_deviation: float | None = Field(
        default=None,
        gt=0,
        le=1_000_000,
        allow_inf_nan=False,
        description="The standard deviation of the differences between two variants (paired), or of the values "
        "(split).",
    )


class ConcludeIn(Input):
    winner: str = Field(min_length=1, max_length=60, description="The id of a variant, or `no_winner`.")
    notes: Notes | None = None


class AssignIn(Input):
    """The request to assign variants to units. A unit is, for example, a user of your application. Name one unit or a
    batch."""

    unit_id: UnitId | None = None
    unit_ids: list[UnitId] | None = Field(default=None, min_length=1, max_length=MOST_UNITS)

    @model_validator(mode="after")
    def _one_or_many(self) -> "AssignIn":
        if (self.unit_id is None) == (self.unit_ids is None):
            raise ValueError("name either unit_id or unit_ids")
        return self


class ObservationIn(Input):
    """The outcome of one unit. An observation whose id is already known is ignored."""

    observation_id: str = Field(min_length=1, max_length=255)
    unit_id: UnitId
    variant_id: UUID
    value: Number | None = Field(
        description="The value of the primary metric; null if it is missing. Scores and rates are from 0 to 1."
    )
    guardrails: dict[MetricName, Annotated[float, Field(allow_inf_nan=False)] | None] = Field(
        default_factory=dict, max_length=20
    )
    cluster: str | None = Field(
        default=None,
        min_length=1,
        max_length=255,
        description="The name of a group of units that depend on each other. By default each unit is a cluster.",
    )

    @field_validator("value", "guardrails", mode="before")
    @classmethod
    def _numbers(cls, value: Any) -> Any:
        """Refuse booleans, which would silently become the numbers 0 and 1."""
        for each in value.values() if isinstance(value, dict) else (value,):
            if isinstance(each, bool):
                raise ValueError("must be a number: write 1 for true and 0 for false")
        return value


class ObservationsIn(Input):
    observations: list[ObservationIn] = Field(min_length=1, max_length=MOST_OBSERVATIONS)
