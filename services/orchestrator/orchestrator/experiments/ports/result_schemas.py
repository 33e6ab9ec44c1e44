"""The schemas in which the results and cases of experiments are returned. A look is one analysis of the results so
far."""

from uuid import UUID

from pydantic import BaseModel, Field

from llmbench.contracts.base import UtcTime
from llmbench.contracts.experiment_words import ExperimentStatus
from orchestrator.experiments.ports.schemas import DirectionWord

Ends = tuple[float | None, float | None]


class PrimaryResult(BaseModel):
    """The primary metric of a variant. The means of a bandit's variants have no confidence interval."""

    mean: float | None
    std: float | None = Field(description="The standard deviation of the clusters' means.")
    confidence_interval: Ends | None
    confidence_level: float
    method: str | None = Field(description="The method of the interval.")
    inverse_propensity_mean: float | None = Field(
        description="The mean of a bandit's variant without the bias of its allocation."
    )


class GuardrailResult(BaseModel):
    """A guardrail of a variant against the control. `passed` is true if the variant is certainly not worse by the
    margin. `lost` is true if it certainly is worse by the margin. Both are false as long as neither is certain. For the
    control, `passed` is null."""

    metric: str
    mean: float | None
    control_mean: float | None
    difference: float | None = Field(description="Against the control; a share of its mean if `relative`.")
    interval: Ends | None
    level: float
    margin: float
    relative: bool
    direction: DirectionWord
    passed: bool | None
    lost: bool
    method: str | None
    reason: str | None = Field(description="Why figures are null.")


class VariantMetrics(BaseModel):
    primary: PrimaryResult
    guardrails: list[GuardrailResult]


class VariantResult(BaseModel):
    variant_id: UUID
    name: str
    is_control: bool
    is_out: bool
    out_reason: str | None
    sample_size: int = Field(description="Clusters with a value.")
    assigned: int
    answered: int
    missing: int
    coverage: float | None = Field(description="The share of the answers that have a value.")
    probability_best: float | None
    next_allocation: float | None = Field(description="The share of the next round, in a bandit.")
    metrics: VariantMetrics
    reason: str | None = Field(description="Why figures are null.")


class ComparisonOut(BaseModel):
    """The comparison of a treatment with the control. `expected` is treatment minus control, as a share of the
    control's mean if `relative`. `favourable` says whether this difference is an improvement.

    `p_value` is that of the frequentist method, corrected for the number of treatments (Holm).

    Only the Bayesian method gives `probability_of_improvement` and the two risks. `risk_of_treatment` is the expected
    loss if the treatment is chosen and is worse, `risk_of_control` that if the control is chosen and is worse.
    """

    variant_id: UUID
    name: str
    state: str
    sample_size: int
    expected: float | None
    relative: bool
    interval: Ends | None
    level: float
    method: str
    robust_interval: Ends | None = Field(
        description="The bootstrap-t interval, which has to agree before a difference is significant."
    )
    sequence: Ends | None = Field(
        description="The asymptotic confidence sequence, shown from 100 clusters on. It decides nothing."
    )
    lift: float | None = Field(description="The difference as a share of the control's mean.")
    p_value: float | None
    raw_p_value: float | None
    probability_of_improvement: float | None
    risk_of_treatment: float | None
    risk_of_control: float | None
    effect_size: float | None
    effect_word: str | None
    power: float | None
    sample_left: int
    is_significant: bool | None
    favourable: bool | None
    sentence: str
    reason: str | None = Field(description="Why figures are null.")


class SampleRatioOut(BaseModel):
    """The check of the sample ratio: whether units got their variants in the intended shares."""

    chi_square: float | None
    p_value: float | None
    mismatch: bool


class AnalysisOut(BaseModel):
    """The analysis of an experiment. Its first fields describe the best treatment. `winner` is the id of a variant; it
    is null until the method permits a decision."""

    winner: UUID | None
    best: UUID = Field(description="The treatment whose figures stand here.")
    p_value: float | None
    probability_of_improvement: float | None
    effect_size: float | None
    is_significant: bool | None
    recommendation: str
    sentence: str = Field(description="The result in words for everybody.")
    state: str = Field(description="unhealthy, n_left, ship, roll_back, harmful, futile, limit or review.")
    done: bool = Field(description="No more calls are needed.")
    sample_left: int
    comparisons: list[ComparisonOut]
    sample_ratio: SampleRatioOut
    method: str
    stopping_rule: str
    assumptions: list[str]
    library: str
    warnings: list[str]


class LookResults(BaseModel):
    """The part of a look (an analysis) that is stored. `done` counts the clusters used so far, `planned` the planned
    ones."""

    done: int
    planned: int
    variants: list[VariantResult]
    analysis: AnalysisOut


class ResultsOut(BaseModel):
    """The results of an experiment by its last look (analysis). Before the first look, `analysis` is null."""

    experiment_id: UUID
    status: ExperimentStatus
    primary_metric: str
    direction: DirectionWord
    look: int | None
    made_at: UtcTime | None
    planned: int | None
    done: int
    variants: list[VariantResult]
    analysis: AnalysisOut | None


class LookOut(LookResults):
    """A look: a stored analysis of an experiment, with its results at that time."""

    look_id: UUID
    number: int
    round: int | None
    made_at: UtcTime


class LookPage(BaseModel):
    looks: list[LookOut]
    total: int
    has_more: bool


class ExperimentCase(BaseModel):
    """A case with its values under two variants. `difference` is variant minus baseline."""

    case: str
    position: int
    round: int | None
    value: float | None
    baseline_value: float | None
    difference: float | None
    run_id: UUID | None
    item_id: UUID | None
    baseline_item_id: UUID | None


class ExperimentCases(BaseModel):
    cases: list[ExperimentCase]
    total: int
    has_more: bool
