"""The figures of a run and of its parts, as they are answered."""

from uuid import UUID

from pydantic import BaseModel, Field

from llmbench.contracts.base import Tidy


class Interval(BaseModel):
    """Of 95 % confidence."""

    low: Tidy
    high: Tidy


class Figures(BaseModel):
    """What a set of items comes to. Scores are the items' overall scores, normalised to 0…1;
    `scored` is the denominator of `mean_score` and `pass_rate`, `timed` that of times and rates:
    an answer from the cache was not timed. `cost_usd` is of `priced` answers.

    Intervals are over `clusters` (see `cluster_level` of the run): t with clustered standard errors for means, Wilson's
    with as many items as the clusters are worth for rates. Null with fewer than two clusters, and for a mean where all
    are equal: the spread is unknown then.
    """

    items: int
    completed: int
    failed: int
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
        description="Pooled, as a mean of rates is no rate: the tokens after the first of each answer, over the time "
        "from its first token to its last, both summed over the answers that streamed."
    )
    busy_s: Tidy | None = Field(
        description="Seconds in which at least one call that was answered was under way. Pauses, waits for a provider "
        "and the time of other targets do not count. Null per category and task.",
    )
    requests_per_second: Tidy | None = Field(description="Answers over `busy_s`.")
    system_tokens_per_second: Tidy | None = Field(
        description="Completion tokens of those answers over `busy_s`, of all calls at once."
    )
    prompt_tokens: int
    completion_tokens: int
    reasoning_tokens: int
    estimated_usage: int = Field(description="Items whose tokens the provider did not report.")
    cut: int = Field(description="Answers that ended at their token limit (`finish_reason` `length`).")
    priced: int
    cost_usd: Tidy | None


class PassesOut(BaseModel):
    """Of k tries at a case: the chances that at least one passes (pass@k) and that all do (pass^k), by the unbiased
    estimators 1 - C(n-c, k)/C(n, k) and C(c, k)/C(n, k). Means over the `cases` with at least k verdicts; intervals as
    those of the other figures, each case a cluster."""

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


class CategoryResult(Figures):
    category: str


class TaskResult(Figures):
    """Of one task, over all targets."""

    task_id: str
    category: str
