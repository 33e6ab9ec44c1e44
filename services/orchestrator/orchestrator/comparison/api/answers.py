"""The responses of the endpoints that compare columns."""

from uuid import UUID

from pydantic import BaseModel, Field

from orchestrator.comparison.ports.benchmarks import RunComparison, UnpairedTarget
from orchestrator.comparison.ports.comparison import ComparedCase, Comparison
from orchestrator.comparison.ports.gates import GateCheckOut, GateOut


class ComparedCases(BaseModel):
    items: list[ComparedCase]
    total: int = Field(description="How many cases the filters choose.")
    next_cursor: str | None


class RunVerdict(RunComparison):
    """The comparison of a run with the baseline run. `regressed` is true if the run is certainly worse by more than the
    margin."""

    regressed: bool


class BenchmarkVerdict(Comparison):
    """One comparison with its verdicts. `regressed` lists the labels of the columns that are certainly worse by more
    than the margin."""

    regressed: list[str]


class BenchmarkModel(BaseModel):
    """One compared column. `overall_score` is the column's mean score (0…1) over the `cases` that every compared column
    scored."""

    run_id: UUID
    model_name: str
    overall_score: float | None
    cases: int
    target_id: UUID
    label: str


class BenchmarkTaskScore(BaseModel):
    run_id: UUID
    score: float
    target_id: UUID


class BenchmarkTask(BaseModel):
    """The mean score of each column over the cases of one category."""

    task_name: str
    scores: list[BenchmarkTaskScore]


class BenchmarksCompared(BaseModel):
    """The response of `POST /v1/benchmarks/compare`.

    There is one comparison per pair of targets, and one per run. With several runs, a target is compared only if it has
    a counterpart in every run. The verdicts are corrected for the number of comparisons (Holm). `unpaired` lists the
    targets that are in no comparison. `runs` is empty if the request named columns.

    `winner` is the run that is certainly better than every other run in every comparison. `winner_target_id` is its
    target, if only one of its targets is compared. Without a winner both are null, and `winner_reason` says why.
    """

    margin: float
    regressed: bool
    gate: GateOut | None
    comparisons: list[BenchmarkVerdict]
    runs: list[RunVerdict]
    unpaired: list[UnpairedTarget]
    models: list[BenchmarkModel]
    comparison: list[BenchmarkTask]
    winner: UUID | None
    winner_target_id: UUID | None
    winner_reason: str | None


class GateChecked(BaseModel):
    run_id: UUID
    run_name: str
    metric: str
    title: str
    relative: bool
    margin: float
    holds: bool
    targets: list[GateCheckOut]
