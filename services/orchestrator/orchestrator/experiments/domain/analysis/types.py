"""The input and the output of the statistics of experiments.

`analyse.analyse(setup, data)` returns an `Analysis`. Clusters are the units of the sample: the answers of one cluster
depend on each other, so every sample size counts clusters.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from orchestrator.experiments.domain.words import Design, Direction, Method

Bound = float | None
"""One end of an interval; `None` if it is unknown."""
Ends = tuple[Bound, Bound]


class State(StrEnum):
    """The decision about an experiment, or about one treatment.

    UNHEALTHY: the data cannot be trusted, so nothing is decided. N_LEFT: more clusters are needed. SHIP: better than
    the control, and every guardrail holds. ROLL_BACK: worse than the control. HARMFUL: a guardrail is lost. FUTILE: the
    planned effect is ruled out. LIMIT: no more calls are made, but there is no decision: a sequential experiment has
    used its sample, or any experiment has ended before its sample was complete. REVIEW: the sample is complete, but a
    person has to decide.
    """

    UNHEALTHY = "unhealthy"
    N_LEFT = "n_left"
    SHIP = "ship"
    ROLL_BACK = "roll_back"
    HARMFUL = "harmful"
    FUTILE = "futile"
    LIMIT = "limit"
    REVIEW = "review"


@dataclass(frozen=True)
class Metric:
    """A metric that is compared.

    `bounds` are the smallest and the largest value of one answer; `None` for cost and latency, whose differences are
    shares of the control's mean. `cap` limits such a metric for the sequential method: a cluster whose mean is larger
    counts as `cap`. Without a cap, one is set from the control's first clusters (see `sequential.py`). `binary` is true
    if every value is 0 or 1.
    """

    name: str
    direction: Direction = Direction.HIGHER_IS_BETTER
    bounds: tuple[float, float] | None = (0.0, 1.0)
    binary: bool = False
    cap: float | None = None

    @property
    def relative(self) -> bool:
        """Return whether differences of this metric are shares of the control's mean."""
        return self.bounds is None

    @property
    def sign(self) -> int:
        """Return 1 if more is better, otherwise -1."""
        return 1 if self.direction is Direction.HIGHER_IS_BETTER else -1


@dataclass(frozen=True)
class GuardrailMetric:
    """A metric that must not get worse by `margin` or more. If the metric is relative, the margin is a share of the
    control's mean."""

    metric: Metric
    margin: float


@dataclass(frozen=True)
class Variant:
    id: str
    name: str
    is_control: bool
    traffic_allocation: float


@dataclass(frozen=True)
class Prior:
    """A normal prior of the difference between treatment and control. If the metric is relative, the difference is a
    share of the control's mean."""

    mean: float
    sd: float


@dataclass(frozen=True)
class AnalysisSetup:
    """The configuration of an experiment's analysis, which is fixed before the start.

    `planned` is the planned sample of each variant, in clusters (`maximum_sample_size`). Before a sample of `minimum`
    clusters, the only possible decision is that a guardrail is lost. `minimum_effect` is positive, and a share of the
    control's mean if the metric is relative. `largest_cluster` is the largest weight that a cluster can have: the
    number of its cases times epochs. The sequential method needs to know it in advance. `prior` is only used by the
    Bayesian method; `None` is the reference prior. `outside` is true if the values are observations of units outside
    llmbench.

    `horizon` is the sample at which the bets of the sequential method are meant to decide (see `sequential.py`); `None`
    is `planned`. It must never change after the start. So set it if `planned` is lowered at the end, when fewer
    clusters than planned have a value.

    Raises `ValueError` for a setup that cannot be analysed.
    """

    method: Method
    design: Design
    metric: Metric
    variants: Sequence[Variant]
    planned: int
    minimum: int = 2
    guardrails: Sequence[GuardrailMetric] = ()
    significance_level: float = 0.05
    minimum_effect: float = 0.05
    largest_cluster: float = 1.0
    seed: int = 0
    is_bandit: bool = False
    prior: Prior | None = None
    horizon: int | None = None
    outside: bool = False

    def __post_init__(self) -> None:
        if sum(variant.is_control for variant in self.variants) != 1:
            raise ValueError("an experiment has exactly one control")
        if len(self.variants) < 2:
            raise ValueError("an experiment has a control and at least one treatment")
        if not 0 < self.significance_level < 1:
            raise ValueError("the significance level is between 0 and 1")
        if self.planned < 2 or self.minimum > self.planned or self.tuned_for < 2:
            raise ValueError("the planned sample has at least 2 clusters, and at least those of the minimum")
        if not self.minimum_effect > 0 or not self.largest_cluster > 0:
            raise ValueError("the minimum effect and the largest cluster are above 0")
        if self.is_bandit and self.design is Design.PAIRED:
            raise ValueError("a bandit gives each case to one variant: its design is split")

    @property
    def units(self) -> str:
        """Return the word for what is counted. It is "units" for observations from outside llmbench, "cases" if each
        cluster has one value, and otherwise "clusters"."""
        if self.outside:
            return "units"
        return "cases" if self.largest_cluster == 1 else "clusters"

    @property
    def tuned_for(self) -> int:
        return self.planned if self.horizon is None else self.horizon

    @property
    def control(self) -> Variant:
        return next(variant for variant in self.variants if variant.is_control)

    @property
    def treatments(self) -> list[Variant]:
        return [variant for variant in self.variants if not variant.is_control]


@dataclass(frozen=True)
class Clusters:
    """The values of a metric under one variant, summed per cluster, in the order in which the clusters were drawn.

    That order is fixed by the seed before the start. It is not the order in which calls end. The weight of a cluster is
    its number of answers with a value. In a paired design, cluster k of every variant consists of the same cases. A
    cluster without a value is not removed; its weight is 0. A variant that gets no more calls has fewer clusters.
    """

    totals: Sequence[float] = ()
    weights: Sequence[float] = ()

    def __post_init__(self) -> None:
        if len(self.totals) != len(self.weights):
            raise ValueError("every cluster has a total and a weight")


@dataclass(frozen=True)
class VariantData:
    """The data of one variant. All numbers count answers, except `clusters`.

    `assigned` is the number of answers that were requested, or of units that were assigned. `answered` of them have a
    value of the primary metric, and `missing` of them ended without a value. The rest is still expected.

    `expected_assigned` is what `assigned` should be by the traffic allocations. It is needed only if these changed
    during the experiment. `guardrails` has the clusters of each guardrail by the name of its metric. `propensities` are
    needed for a bandit: the probability with which each cluster was given to this variant.
    """

    variant_id: str
    clusters: Clusters
    assigned: int
    answered: int
    missing: int = 0
    expected_assigned: float | None = None
    guardrails: Mapping[str, Clusters] | None = None
    propensities: Sequence[float] | None = None


@dataclass(frozen=True)
class GuardrailResult:
    """A guardrail of a treatment against the control, or of the control itself, which has only a mean.

    `difference` and `interval` are treatment minus control, a share of the control's mean if `relative`. `level` is the
    confidence level of the interval; the two ends share its error equally. `passed` means that the treatment is
    certainly not worse by the margin, and `lost` that it is certainly worse by the margin. Both are false while neither
    is certain. `reason` says why a figure is `None`.
    """

    metric: str
    mean: float | None
    control_mean: float | None
    difference: float | None
    interval: Ends | None
    level: float
    margin: float
    relative: bool
    direction: Direction
    passed: bool
    lost: bool
    method: str | None = None
    reason: str | None = None


@dataclass(frozen=True)
class VariantAnalysis:
    """The figures of one variant. `interval` has the confidence level `level`; the means of a bandit's variants have no
    interval.

    `sample_size` counts clusters with a value. `std` is the standard deviation of the clusters' means. `is_out` is true
    if the variant gets no more calls, for the reason `out_reason`. `inverse_propensity_mean` is the mean of a bandit's
    variant without the bias of its allocation.
    """

    variant_id: str
    sample_size: int
    assigned: int
    answered: int
    missing: int
    coverage: float | None
    mean: float | None
    std: float | None
    interval: Ends | None
    level: float
    interval_method: str | None
    guardrails: Sequence[GuardrailResult]
    is_out: bool = False
    out_reason: str | None = None
    inverse_propensity_mean: float | None = None
    probability_best: float | None = None
    next_allocation: float | None = None
    reason: str | None = None


@dataclass(frozen=True)
class Comparison:
    """A treatment against the control.

    `expected` is treatment minus control, a share of the control's mean if `relative`. `interval` has the
    confidence `level`. If both ends of `robust_interval` are known, `interval` equals it. Otherwise, `interval` is that
    of the experiment's method.

    `robust_interval` is the interval by which runs are compared with their baselines. Only paired frequentist
    comparisons have it, and they are significant only if it excludes 0. `sequence` is the asymptotic confidence
    sequence: it is shown from 100 clusters on and decides nothing.

    `p_value` is corrected for the number of treatments by Holm's method, `raw_p_value` is not. `risk_of_treatment` is
    the expected loss if the treatment is chosen and is worse; `risk_of_control` the expected loss if the control is
    chosen and the treatment is better. `favourable` says whether `expected` is an improvement. `power` is the
    probability that the planned sample finds the minimum effect. `is_significant` is `None` until a decision is
    permitted. `reason` says why figures are `None`.
    """

    variant_id: str
    state: State
    sample_size: int
    expected: float | None
    relative: bool
    interval: Ends | None
    level: float
    method: str
    robust_interval: Ends | None = None
    sequence: Ends | None = None
    lift: float | None = None
    p_value: float | None = None
    raw_p_value: float | None = None
    probability_of_improvement: float | None = None
    risk_of_treatment: float | None = None
    risk_of_control: float | None = None
    effect_size: float | None = None
    effect_word: str | None = None
    favourable: bool | None = None
    power: float | None = None
    sample_left: int = 0
    is_significant: bool | None = None
    sentence: str = ""
    reason: str | None = None


@dataclass(frozen=True)
class SampleRatio:
    """The check whether variants got their shares of the units. `expected` are the numbers of units that they should
    have got. `mismatch` is true if the differences are hardly chance (p below .001).

    `chi_square` and `p_value` are `None` if nothing was assigned, and in paired designs, where every variant gets every
    case. If a variant without a share got units, `chi_square` is `None` and `p_value` is 0.
    """

    chi_square: float | None
    p_value: float | None
    mismatch: bool
    expected: Sequence[float] = ()


@dataclass(frozen=True)
class Analysis:
    """The result of one look at an experiment, which is an analysis of its data so far.

    `winner` is the id of a variant; `None` until the method permits a decision, and if nothing is better. `done` is
    true if no more calls are needed. `out` has the reason for each treatment that gets no more calls. `best` is the id
    of the treatment with the best estimate, among those that beat the control if there are any. `library` names the
    libraries with their versions.
    """

    state: State
    done: bool
    winner: str | None
    best: str
    is_significant: bool | None
    sample_left: int
    variants: Sequence[VariantAnalysis]
    comparisons: Sequence[Comparison]
    out: Mapping[str, str]
    sample_ratio: SampleRatio
    method: str
    stopping_rule: str
    assumptions: Sequence[str]
    library: str
    sentence: str
    recommendation: str
    warnings: Sequence[str]


@dataclass(frozen=True)
class PlanPoint:
    """A possible effect in the plan: the sample that it needs, and the power with which the planned sample finds it."""

    effect: float
    sample_size: int | None
    power: float
    calls: int | None
    cost_usd: float | None


@dataclass(frozen=True)
class VariantCost:
    """The mean cost of a cluster of a variant; `None` where it is unknown. `calls` is the mean number of calls of a
    cluster."""

    calls: float = 1.0
    cost_usd: float | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class SamplePlan:
    """The plan of a sample; numbers of clusters are those of one variant. `sample_size` is the number that the minimum
    effect needs; `None` if no number suffices. `planned` is the number to use: `sample_size`, but at least the setup's
    `minimum`, and at most the clusters that the sources have. Without a `sample_size` it is all these clusters.
    `enough` is true if the sources have `sample_size` clusters.

    `calls`, `cost_usd` and `duration_s` are those of the planned sample. `expected_calls` are those that a sequential
    experiment needs on average if the effect is the minimum effect; `None` for the other methods, which never stop
    early.
    """

    sample_size: int | None
    planned: int
    enough: bool
    power: float
    standard_deviation: float
    calls: int
    expected_calls: int | None
    cost_usd: float | None
    duration_s: float | None
    curve: Sequence[PlanPoint]
    minimum_detectable_effect: float | None
    method: str
    warnings: Sequence[str] = ()
