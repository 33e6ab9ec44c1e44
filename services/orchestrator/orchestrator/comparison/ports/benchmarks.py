"""Parts of the response of `POST /v1/benchmarks/compare`: comparisons of runs, and the targets left out of them."""

from uuid import UUID

from pydantic import BaseModel, Field

from orchestrator.comparison.ports.comparison import WEIGHTING, ScoreComparison


class RunComparison(BaseModel):
    """The comparison of a run with the baseline run, over all pairs of a target and its counterpart in the baseline
    run.

    Each case of each pair counts equally. Runs of a suite whose scores weigh alike (see `weighting`) are an exception:
    the tasks are weighed within each pair, and each pair counts by its number of compared cases. A case (or its
    cluster) that occurs in several pairs is one cluster. The verdicts on runs and the verdicts on pairs are corrected
    together for multiple comparisons (Holm). If a run has a single pair, its verdict is that of the pair. `coverage` is
    the lowest coverage among the pairs.
    """

    run_id: UUID
    run_name: str
    pairs: int
    cases_in_both: int = Field(description="Summed over the pairs, like the counts of `score`.")
    coverage: float
    least_covered: str | None = Field(description="The task with the lowest coverage, where tasks are weighed.")
    weighting: str | None = Field(description=WEIGHTING)
    score: ScoreComparison | None = Field(description="Null where two different measures scored the runs: see `note`.")
    note: str | None
    withheld: str | None


class UnpairedTarget(BaseModel):
    """A target that is left out of every comparison. It has no counterpart in one of the runs, or its counterpart has
    none in a third run."""

    run_id: UUID
    run_name: str
    target_id: UUID
    label: str
    reason: str
