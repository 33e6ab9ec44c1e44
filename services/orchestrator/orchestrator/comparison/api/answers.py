"""The responses of the endpoints that compare columns (targets of runs) or runs, and that try a gate."""

from uuid import UUID

from pydantic import BaseModel, Field

from orchestrator.comparison.ports.benchmarks import RunComparison, UnpairedTarget
from orchestrator.comparison.ports.cases import CaseGroups, ComparedCase
from orchestrator.comparison.ports.comparison import Comparison
from orchestrator.comparison.ports.gates import GateCheckOut, GateOut


class ComparedCases(BaseModel):
    items: list[ComparedCase]
    total: int = Field(description="The number of cases that the filters choose.")
    groups: CaseGroups = Field(description="The number of cases in each group of `show`, by the other filters.")
    next_cursor: str | None


class RunVerdict(RunComparison):
    """The comparison of a run with the baseline run. `regressed` is true if the run's mean score is certainly lower by
    more than the `margin` of the request."""

    regressed: bool


class BenchmarkVerdict(Comparison):
    """The comparison of columns (targets of runs) with their baseline. `regressed` lists the labels of the columns
    whose mean score is certainly lower than the baseline's by more than the `margin` of the request."""

    regressed: list[str]


class BenchmarkModel(BaseModel):
    """One compared column (a target of a run). `overall_score` is its mean score (0…1) over the `cases` that are scored
    in every column of its comparison; it is null if there is no such case.

    If all columns belong to the same version of a suite, `overall_score` is the suite's score over these cases: the
    weighted mean of the tasks' scores.
    """

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
    """The mean score (0…1) of each column (a target of a run) over the cases of `task_name` that are scored in every
    column of the same comparison. `task_name` is a task of the suite, or a category of cases in runs without a
    suite."""

    task_name: str
    scores: list[BenchmarkTaskScore]


class BenchmarksCompared(BaseModel):
    """The response of `POST /v1/benchmarks/compare`.

    If the request named columns, `comparisons` has one entry, and `runs` and `unpaired` are empty. If it named runs,
    `comparisons` has one entry per set of paired targets, and `runs` one per run other than the baseline. A target is
    compared only if it is paired with a target of every other run; `unpaired` lists the others. Verdicts on overall
    scores are corrected for the number of comparisons (Holm).

    A column wins a comparison if its `overall_score` is the highest, and its verdict against each other column is
    "better". `winner` is the run whose columns win every comparison. `winner_target_id` is the winning target if there
    is only one comparison. Without a winner both are null, and `winner_reason` says why.
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
