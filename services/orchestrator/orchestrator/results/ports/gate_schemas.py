"""The schemas of a run's subject, and of the result of its gates."""

from enum import StrEnum
from typing import Literal
from uuid import UUID

from pydantic import BaseModel, Field

from llmbench.contracts.base import Tidy, UtcTime
from llmbench.contracts.gate_words import GateVerdict
from orchestrator.kernel.domain.subject import SubjectKind
from orchestrator.results.ports.figure_schemas import Interval


class Role(StrEnum):
    """The role of a run that other runs are compared with. The anchor stays when another run becomes the baseline. A
    run can have both roles."""

    BASELINE = "baseline"
    ANCHOR = "anchor"
    BOTH = "both"


class SubjectOut(BaseModel):
    """The subject of a run, such as a preset or a suite. A baseline is compared with the runs of its subject."""

    kind: SubjectKind
    id: UUID
    name: str


class DecidedPair(BaseModel):
    """A target of the run, compared with the corresponding target of the baseline by the metric of a gate.

    `mean` and `interval` are those of the difference (run - baseline), in the unit of the metric, or as a share of the
    baseline for cost and latency. The interval is a two-sided 90 % interval.
    """

    target_id: UUID
    label: str
    verdict: GateVerdict
    sentence: str
    mean: Tidy | None
    mean_here: Tidy | None
    mean_baseline: Tidy | None
    interval: Interval | None
    cases: int
    clusters: int
    coverage: float


class JudgeCheckOut(BaseModel):
    """The result of judging stored answers of the baseline again, before its gates were decided.

    `shift` is the mean of (new score - stored score), from -1 to 1. `p` is the probability that an unchanged judge
    shows a shift at least as large, by an exact permutation test of each answer's scores.
    """

    run_id: UUID = Field(description="The run of the check, with the new scores.")
    answers: int
    repeats: int
    shift: Tidy
    p: float
    changed: bool


class DecidedGate(BaseModel):
    """The result of a gate, for the baseline or for the anchor. The settings are those that the gate had when it was
    decided.

    `passed` is true if the verdict is fine. For an undecided verdict the setting `undecided` decides: `ok` passes. But
    a run that is certainly worse than the baseline (`lower_than_baseline`) never passes as undecided.
    """

    gate_id: UUID
    baseline_id: UUID
    label: str = Field(description="The label of the baseline.")
    role: Role
    baseline_run_id: UUID
    baseline_run_name: str
    metric: str
    task: str | None = Field(default=None, description="The task of a suite that the gate is limited to.")
    title: str
    relative: bool = Field(description="Whether the margin is a share of the baseline, as of cost and latency.")
    margin: float
    undecided: Literal["fail", "ok"]
    verdict: GateVerdict
    passed: bool
    lower_than_baseline: bool
    sentence: str
    pairs: list[DecidedPair]
    judge_check: JudgeCheckOut | None = Field(
        default=None, description="Null if no judge has an influence on the metric, or if there are too few answers."
    )


class VerdictOnRun(BaseModel):
    """The result of all gates of a finished run. `passed` is null while the result is pending. `baseline_run_id` is the
    run of the first baseline with a gate, never that of an anchor; it is null while the result is pending."""

    verdict: GateVerdict
    passed: bool | None
    sentence: str | None
    decided_at: UtcTime | None
    baseline_run_id: UUID | None = None
