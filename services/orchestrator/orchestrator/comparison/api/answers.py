"""The responses of the endpoints that compare, built from the handlers' results."""

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
    """The verdict of a run. `regressed`: the run is worse by more than the margin, and not by chance."""

    regressed: bool


class BenchmarkVerdict(Comparison):
    """The verdicts of one comparison. `regressed` lists the columns that are worse by more than the margin, and not by
    chance."""

    regressed: list[str]


class BenchmarkModel(BaseModel):
    """A column. `overall_score` is its mean, on 0…1, over the `cases` that every compared column scored."""

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
    """The scores of the columns for one category."""

    task_name: str
    scores: list[BenchmarkTaskScore]


class BenchmarksCompared(BaseModel):
    """Comparisons and verdicts.

    There is one comparison per pair of targets, and one per run. With several runs, a target needs a counterpart in
    each. The verdicts are corrected for all of them (Holm). `unpaired` targets are in no comparison. `runs` is empty
    where columns were named.

    `winner` is the run that is better than every other in every comparison, and not by chance. `winner_target_id` is
    its target, where one is compared. Without a winner both are null, and `winner_reason` says why.
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
