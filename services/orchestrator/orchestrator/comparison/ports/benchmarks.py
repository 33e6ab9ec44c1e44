"""Compare for programs: the requested runs and columns, and their verdicts."""

from uuid import UUID

from pydantic import BaseModel, Field

from orchestrator.comparison.ports.comparison import ScoreComparison


class RunComparison(BaseModel):
    """A run against the baseline run, over all pairs of their targets.

    Each case of each pair counts equally. A case (or its cluster) that several pairs share is one cluster. The verdict
    is corrected for those of the pairs (Holm); with a single pair it is the pair's. `coverage` is the lowest of the
    pairs'.
    """

    run_id: UUID
    run_name: str
    pairs: int
    cases_in_both: int = Field(description="Summed over the pairs, like the counts of `score`.")
    coverage: float
    score: ScoreComparison | None = Field(description="Null where two different measures scored the runs: see `note`.")
    note: str | None
    withheld: str | None


class UnpairedTarget(BaseModel):
    """A target that is compared with no other."""

    run_id: UUID
    run_name: str
    target_id: UUID
    label: str
    reason: str
