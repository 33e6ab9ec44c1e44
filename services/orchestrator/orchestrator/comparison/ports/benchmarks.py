"""Parts of the response of `POST /v1/benchmarks/compare`: comparisons of runs, and the targets left out of them."""

from uuid import UUID

from pydantic import BaseModel, Field

from orchestrator.comparison.ports.comparison import WEIGHTING, ScoreComparison


class RunComparison(BaseModel):
    """The comparison of a run with the baseline run, over all their pairs. A pair is a target of the run and a target
    of the baseline run.

    Each case of each pair counts equally, unless `weighting` says that the tasks count as in the score of a suite. The
    tasks of each pair then count by their weights in the suite, and the weight of the pair is its number of compared
    cases. A case (or its cluster) that occurs in several pairs is one cluster. The verdicts on runs and the verdicts on
    pairs are corrected together for multiple comparisons (Holm). `coverage` is the lowest coverage among the pairs.
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
    """A target that is left out of every comparison, because not every run has a target to compare it with. `reason`
    says why."""

    run_id: UUID
    run_name: str
    target_id: UUID
    label: str
    reason: str
