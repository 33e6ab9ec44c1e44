"""The request bodies of `/api/baselines` and `/api/gates`."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from orchestrator.baselines.handlers.save_gate import WantedGate
from orchestrator.baselines.ports.schemas import SavedGate, Undecided
from orchestrator.comparison.api.bodies import Margin
from orchestrator.results.ports.gate_schemas import Role
from orchestrator.runs.api.input import Input
from orchestrator.runs.api.subject_choice import BaselineLabel, SubjectChoice

Note = Annotated[str, Field(max_length=2_000, description="Why, for the history.")]
Metric = Annotated[
    str,
    Field(
        min_length=1,
        max_length=80,
        description="`score`, `pass_rate`, `cost`, `latency`, or the name of an evaluator of the baseline "
        "(`evaluator:<name>` if the evaluator has one of these four names).",
    ),
]
TaskOfSuite = Annotated[
    str,
    Field(
        min_length=1,
        max_length=30,
        description="The task of a suite that the gate is limited to. By default `score` is the score of the suite.",
    ),
]
ClusterBy = Annotated[
    str,
    Field(
        min_length=1,
        max_length=200,
        description="A metadata key of the cases: cases with the same value are one cluster. By default the key of the "
        "runs.",
    ),
]
IfUndecided = Annotated[
    Undecided, Field(description="`ok` lets an undecided gate pass, unless the run is certainly worse, by any amount.")
]


class CreateBaseline(Input):
    """The request to make a finished run the baseline of a subject (a preset or a suite). The run also becomes the
    anchor: a second reference run, which stays when another run becomes the baseline."""

    subject: SubjectChoice
    label: BaselineLabel = "main"
    run_id: UUID
    note: Note | None = None


class PromoteRun(Input):
    """The request to make a finished run the baseline, the anchor, or both. The anchor is a second reference run, which
    stays when another run becomes the baseline."""

    run_id: UUID
    role: Role = Role.BASELINE
    note: Note | None = None


class CreateGate(Input):
    """A gate: one metric of a later run that must not be worse than the baseline's or the anchor's by `margin` or
    more."""

    metric: Metric
    task: TaskOfSuite | None = None
    margin: Margin
    undecided: IfUndecided = "fail"
    cluster_by: ClusterBy | None = None

    def wanted(self) -> WantedGate:
        return WantedGate(self.metric, self.margin, self.undecided, self.cluster_by, self.task)


class ChangeGate(Input):
    """The request to change a gate. Missing fields stay unchanged."""

    # These defaults are never used: a missing field stays unchanged. Factories keep them out of OpenAPI.
    margin: Margin = Field(default_factory=float)
    undecided: IfUndecided = Field(default_factory=lambda: "fail")
    cluster_by: ClusterBy | None = None

    def wanted(self, gate: SavedGate) -> WantedGate:
        given = self.model_dump(exclude_unset=True)
        return WantedGate(
            metric=gate.metric,
            margin=given.get("margin", gate.margin),
            undecided=given.get("undecided", gate.undecided),
            cluster_by=given.get("cluster_by", gate.cluster_by),
            task=gate.task,
        )
