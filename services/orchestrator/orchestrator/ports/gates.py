"""Gates: what is asked of one, and what it says."""

from typing import Annotated
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from orchestrator.domain.comparison.gate import GateState
from orchestrator.domain.comparison.gate_check import Basis
from orchestrator.ports.figure_schemas import Interval

ClusterBy = Annotated[
    str | None,
    Field(
        min_length=1,
        max_length=200,
        description="A metadata key of the cases: those of one value depend on each other, and are one cluster. Left "
        "out, the runs' own key; without one the coarsest that nests: document, conversation, case.",
    ),
]


class GateChoice(BaseModel):
    """One metric that may not get worse by `margin` or more."""

    model_config = ConfigDict(extra="forbid")

    metric: str = Field(
        min_length=1,
        max_length=80,
        description="`score`, `pass_rate`, `cost`, `latency`, or the name of an evaluator that both runs have "
        "(`evaluator:<name>` where it is called like one of the others).",
    )
    margin: float = Field(
        gt=0,
        le=10,
        allow_inf_nan=False,
        description="Of scores and rates in their own unit, from 0 to 1; of cost and latency a share of the baseline.",
    )
    force: bool = Field(
        default=False,
        description="Decide also where an unchanged model would be fine in fewer than 80 of 100 comparisons.",
    )


class CheckGate(BaseModel):
    """A gate, and the baseline to try it on: every target of the run, or the one that is named."""

    model_config = ConfigDict(extra="forbid")

    run_id: UUID
    target_id: UUID | None = None
    gate: GateChoice
    cluster_by: ClusterBy = None


class GatePairOut(BaseModel):
    """One column against the baseline. `mean` and `interval` are of (this column - baseline), also of cost and latency,
    where less is better: in the metric's unit, or as a share of the baseline where the gate is `relative`. The interval
    is two-sided, of 90 %. `probability_fine` is how often an unchanged model would be fine with these clusters."""

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
    """`state` is that of all pairs: worse if one is, else low coverage if one is, else undecided if one is."""

    metric: str
    title: str
    relative: bool
    lower_is_better: bool
    margin: float
    state: GateState
    lower_than_baseline: bool
    pairs: list[GatePairOut]


class GateCheckOut(BaseModel):
    """One target's baseline against itself, `checks` times. `worse` are false alarms. `probability_fine` is for an
    unchanged model with the baseline's clusters; the gate `holds` where that is 0.8 or more."""

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


class GateChecked(BaseModel):
    run_id: UUID
    run_name: str
    metric: str
    title: str
    relative: bool
    margin: float
    holds: bool
    targets: list[GateCheckOut]
