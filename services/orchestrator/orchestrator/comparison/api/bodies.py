"""The request bodies for comparing runs or columns (targets of runs), and for trying a gate."""

from typing import Annotated, Self
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, model_validator

from orchestrator.comparison.ports.comparison import MOST_COLUMNS
from orchestrator.comparison.ports.gates import GateRequest

MOST_PAIRS = 200

Margin = Annotated[
    float,
    Field(
        gt=0,
        le=10,
        allow_inf_nan=False,
        description="The largest acceptable loss: from 0 to 1 for scores and rates; a share of the baseline for cost "
        "and latency.",
    ),
]

ClusterBy = Annotated[
    str | None,
    Field(
        min_length=1,
        max_length=200,
        description="A metadata key of the cases: cases with the same value depend on each other, and are one cluster. "
        "By default the key of the runs. If they have none, a cluster is a document, else a conversation, else a case.",
    ),
]


class GateChoice(BaseModel):
    """A gate: one metric that must not get worse than the baseline's by `margin` or more."""

    model_config = ConfigDict(extra="forbid")

    metric: str = Field(
        min_length=1,
        max_length=80,
        description="`score`, `pass_rate`, `cost`, `latency`, or the name of an evaluator that both runs have "
        "(`evaluator:<name>` if the evaluator has one of these four names).",
    )
    margin: Margin
    task: str | None = Field(
        default=None, min_length=1, max_length=30, description="A task of a suite that the gate is limited to."
    )
    force: bool = Field(
        default=False,
        description="Decide even if an unchanged model would be fine in fewer than 80 of 100 comparisons.",
    )

    def wanted(self) -> GateRequest:
        return GateRequest(self.metric, self.margin, self.force, self.task)


class CheckGate(BaseModel):
    """The request body that tries a gate on one run, which is compared with itself.

    Without `target_id`, the gate is tried on each target of the run.
    """

    model_config = ConfigDict(extra="forbid")

    run_id: UUID
    target_id: UUID | None = None
    gate: GateChoice
    cluster_by: ClusterBy = None


class PairChoice(BaseModel):
    """A target of the baseline run, and the matching target of the other run."""

    model_config = ConfigDict(extra="forbid")

    baseline_target_id: UUID
    target_id: UUID


class ColumnChoice(BaseModel):
    """One column of a comparison: a target of a run."""

    model_config = ConfigDict(extra="forbid")

    run_id: UUID
    target_id: UUID


class CompareBenchmarks(BaseModel):
    """The request body of a comparison of runs or of columns (targets of runs). Exactly one of `run_ids` and `columns`
    is given.

    Columns are compared as given. If runs are given, their targets are paired: first as `pairs` says, then by equal
    label, then by equal model and parameters, then by equal model. If `pairs` is empty and each run has only one
    target, these targets are paired whatever they are.
    """

    model_config = ConfigDict(extra="forbid")

    run_ids: list[UUID] | None = Field(default=None, min_length=2, max_length=MOST_COLUMNS)
    columns: list[ColumnChoice] | None = Field(default=None, min_length=2, max_length=MOST_COLUMNS)
    pairs: list[PairChoice] = Field(
        default_factory=list,
        max_length=MOST_PAIRS,
        description="Targets of two runs, paired by hand. The others are paired by label, model and parameters.",
    )
    baseline: int = Field(default=0, ge=0, description="The index of the run or column to compare the others with.")
    margin: float = Field(
        default=0,
        ge=0,
        le=1,
        allow_inf_nan=False,
        description="The largest loss of the mean score (0…1) that does not count in `regressed`.",
    )
    cluster_by: ClusterBy = None
    gate: GateChoice | None = None

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        given = self.run_ids if self.columns is None else self.columns
        if given is None or (self.run_ids is not None and self.columns is not None):
            raise ValueError("name either run_ids or columns")
        if self.pairs and self.run_ids is None:
            raise ValueError("pairs: only the targets of run_ids are paired; columns are compared as they are named")
        if self.baseline >= len(given):
            raise ValueError(f"baseline: is no index of the {len(given)} runs or columns; the first has the index 0")
        return self
