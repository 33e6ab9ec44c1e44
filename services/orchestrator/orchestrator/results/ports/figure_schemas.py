"""The statistics of a run and its parts, as the API returns them."""

from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from llmbench.contracts.base import Tidy


class Interval(BaseModel):
    """A confidence interval. Its level is 95 %, unless the schema that contains it says otherwise."""

    low: Tidy
    high: Tidy


class ZerosOut(BaseModel):
    """The numbers of answers that are missing because the model refused or gave a malformed one. `mean_score` and
    `pass_rate` leave them out; comparisons and gates count them as 0.

    `later_turns` counts the turns that were never asked, because the answer to an earlier turn of the conversation was
    refused or malformed.
    """

    model_config = ConfigDict(from_attributes=True)

    refused: int
    malformed: int
    later_turns: int
    note: str = Field(description="The same in a sentence.")


class CostParts(BaseModel):
    """The cost of a run, divided. The parts add up to its `cost_usd`.

    `other_usd` is the cost of warm-ups, of failed calls, and of answers and scores that were replaced. A run
    has no parts while it is active, because the figures of its answers lag behind its cost. It also has none if it did
    not pay for all its answers.
    """

    answers_usd: Tidy
    judging_usd: Tidy
    other_usd: Tidy


class Figures(BaseModel):
    """Statistics of a set of items. Scores are overall scores, normalised to 0…1.

    `scored` is the denominator of `mean_score`; `pass_rate` is over the items with a verdict. `timed` counts the
    answers with a measured time, and `priced` those with a known cost. Cached answers cost nothing, and are neither.
    `cost_usd` is the cost of the `priced` answers.

    Intervals take into account that the results of a cluster depend on each other (see the run's `cluster_level`).
    Intervals of means use the t distribution with clustered standard errors. Intervals of rates are Wilson's, with the
    effective number of items. An interval is null with fewer than two clusters. The interval of a mean is also null if
    all clusters have the same mean: the spread is then unknown.
    """

    items: int
    completed: int
    failed: int
    skipped: int = Field(default=0, description="Items that were not asked: a gate of their suite failed.")
    scored: int
    clusters: int = Field(description="Clusters that have a score; see `cluster_level` of the run.")
    mean_score: Tidy | None
    mean_score_interval: Interval | None
    pass_rate: Tidy | None
    pass_rate_interval: Interval | None
    timed: int
    cached: int
    mean_time_ms: Tidy | None
    p50_time_ms: Tidy | None
    p95_time_ms: Tidy | None
    p99_time_ms: Tidy | None
    mean_first_token_ms: Tidy | None
    p50_first_token_ms: Tidy | None
    p95_first_token_ms: Tidy | None
    p99_first_token_ms: Tidy | None
    mean_tokens_per_second: Tidy | None = Field(
        description="Each answer's tokens after the first, divided by the time from its first token to its last. "
        "Both are summed over streamed answers before dividing."
    )
    busy_s: Tidy | None = Field(
        description="Seconds in which at least one answered call was under way, without pauses, waits for a "
        "provider and other targets' time. Null per category and task.",
    )
    requests_per_second: Tidy | None = Field(description="Answers over `busy_s`.")
    system_tokens_per_second: Tidy | None = Field(
        description="Completion tokens of those answers, divided by `busy_s`, over all concurrent calls."
    )
    prompt_tokens: int
    completion_tokens: int
    reasoning_tokens: int
    estimated_usage: int = Field(description="Items whose tokens the provider did not report.")
    cut: int = Field(description="Answers that ended at their token limit (`finish_reason` `length`).")
    priced: int
    cost_usd: Tidy | None
    zeros: ZerosOut | None = Field(
        default=None,
        description="For each target and all of them. Null per category and task, and where mean and comparison "
        "cover the same answers.",
    )


class PassesOut(BaseModel):
    """The probabilities that at least one of k tries at a case passes (pass@k), and that all k pass (pass^k).

    If c of n tries passed, the unbiased estimators are 1 - C(n-c, k)/C(n, k) and C(c, k)/C(n, k). Both are means over
    the `cases` with at least k verdicts. The intervals are Wilson's, with the effective number of tries.
    """

    k: int
    cases: int
    pass_at_k: float
    pass_at_k_interval: Interval | None
    pass_hat_k: float
    pass_hat_k_interval: Interval | None


class TargetResult(Figures):
    target_id: UUID
    label: str
    model: str
    passes: list[PassesOut] = Field(description="pass@k and pass^k for each k up to the epochs; empty without epochs.")


class TargetScore(BaseModel):
    """The mean overall score of a target, with its 95 % interval, over `scored` items. The interval takes into account
    that the results of a cluster depend on each other (see `Figures`)."""

    target_id: UUID
    scored: int
    mean_score: Tidy | None
    mean_score_interval: Interval | None


class CategoryResult(Figures):
    category: str


class TagTargetResult(BaseModel):
    """The scores of one target over the cases with a tag. The intervals take into account that the results of a cluster
    depend on each other (see `Figures`)."""

    target_id: UUID
    label: str
    items: int
    scored: int
    clusters: int
    mean_score: Tidy | None
    mean_score_interval: Interval | None
    pass_rate: Tidy | None
    pass_rate_interval: Interval | None


class TagResult(Figures):
    """The statistics of the cases with a tag in `metadata.tags`, over all targets and for each. A case with several
    tags counts for each of them, so tags do not add up to the run."""

    tag: str
    targets: list[TagTargetResult]


class TaskResult(Figures):
    """The statistics of one case of a run, over all targets. `task_id` is the id of the case."""

    task_id: str
    category: str
