"""The request to decide a gate, and the schemas of its result."""

from dataclasses import dataclass
from uuid import UUID

from pydantic import BaseModel, Field

from orchestrator.comparison.domain.gate import GateState
from orchestrator.comparison.domain.gate_check import Basis
from orchestrator.results.ports.figure_schemas import Interval


@dataclass(frozen=True)
class GateRequest:
    """A gate: one metric that must not get worse than the baseline's by `margin` or more. With `force`, the result is
    returned even if there are too few cases for a decision. `task` limits the gate to a task of a suite."""

    metric: str
    margin: float
    force: bool = False
    task: str | None = None


class GatePairOut(BaseModel):
    """A gate's result for one column (a target of a run) and its baseline.

    `mean` and `interval` are of (this column - baseline), also for cost and latency, where less is better.
    `lower_than_baseline` is true if the state is undecided, but the column is certainly worse than the baseline. It is
    then not certain whether the loss reaches the margin. For cost and latency, worse means higher.

    The unit of `mean` and `interval` is that of the metric, or a share of the baseline if the gate is `relative`. The
    interval is a two-sided 90 % interval. `probability_fine` is the probability that an unchanged model would get the
    state *fine* with this number of clusters.
    """

    run_id: UUID
    target_id: UUID
    label: str
    state: GateState
    lower_than_baseline: bool
    sentence: str
    mean: float | None
    mean_here: float | None
    mean_baseline: float | None
    interval: Interval | None
    method: str | None
    cases: int
    clusters: int
    shared_cases: int
    coverage: float
    probability_fine: float | None
    clusters_needed: int | None = Field(description="The clusters that would decide, or find an unchanged model fine.")
    margin_needed: float | None = Field(description="The margin that would decide with these clusters.")


class GateOut(BaseModel):
    """A gate's result. `state` is worse if any pair is worse, else low coverage if any pair has it, else undecided if
    any is undecided, else fine. `lower_than_baseline` is true if at least one undecided pair is
    certainly worse than its baseline, though perhaps by less than the margin."""

    metric: str
    task: str | None = Field(default=None, description="The task of a suite that the gate is limited to.")
    title: str
    relative: bool
    lower_is_better: bool
    margin: float
    state: GateState
    lower_than_baseline: bool
    pairs: list[GatePairOut]


class GateCheckOut(BaseModel):
    """The result of comparing one target of the baseline with itself, `checks` times.

    `worse` counts false alarms. `probability_fine` is the probability that the gate gives an unchanged model the state
    *fine*, if it compares as many clusters as the baseline has. `holds` is true if this probability is at least 0.8.
    """

    target_id: UUID
    label: str
    basis: Basis
    checks: int
    fine: int
    undecided: int
    worse: int
    lower_than_baseline: int
    clusters: int
    cases: int
    coverage: float
    probability_fine: float
    holds: bool
    clusters_needed: int | None
    margin_needed: float | None
    sentence: str
