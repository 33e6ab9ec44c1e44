"""The ports to baselines, gates, and the runs that are due for a verdict."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from orchestrator.baselines.ports.schemas import BaselineOut, Promotion, SavedGate, Undecided
from orchestrator.kernel.domain.subject import Subject
from orchestrator.results.ports.gate_schemas import Role


class LabelTaken(Exception):
    """Raised when the subject already has a baseline with the label."""


class GateExists(Exception):
    """Raised when the baseline already has a gate on the metric."""


class BaselineGone(Exception):
    """Raised when the baseline was deleted at the same moment."""


class RunGone(Exception):
    """Raised when the run was removed at the same moment."""


@dataclass(frozen=True)
class NewBaseline:
    subject: Subject
    label: str
    run_id: UUID
    run_name: str
    note: str | None


@dataclass(frozen=True)
class NewPromotion:
    """The run that becomes the baseline, the anchor, or both. `planned` maps each gate's id to a pair: the probability
    that an unchanged model gets the verdict *fine*, and the number of clusters for which this holds."""

    run_id: UUID
    run_name: str
    role: Role
    note: str | None
    planned: Mapping[UUID, tuple[float, int]]


@dataclass(frozen=True)
class GateSettings:
    metric: str
    task: str | None
    margin: float
    undecided: Undecided
    cluster_by: str | None
    probability_fine: float
    clusters: int


class BaselineStore(Protocol):
    async def subject_name(self, subject: Subject) -> str | None: ...

    async def baselines(
        self, subject: Subject | None, label: str | None, *, after: UUID | None, limit: int
    ) -> list[BaselineOut]:
        """Return baselines in the order of their creation. `subject` and `label` are filters; `None` selects all."""
        ...

    async def baseline(self, id_: UUID) -> BaselineOut | None: ...

    async def create(self, new: NewBaseline) -> UUID:
        """Create the baseline and return its id. Its run also becomes the anchor. Raises `LabelTaken` if the subject
        has a baseline with this label, and `RunGone` if the run was removed meanwhile."""
        ...

    async def promote(self, id_: UUID, new: NewPromotion) -> bool:
        """Store the promotion. Return `False` if there is no such baseline. Raises `RunGone` if the run was removed
        meanwhile."""
        ...

    async def history(self, id_: UUID, *, before: UUID | None, limit: int) -> list[Promotion]:
        """Return up to `limit` promotions of the baseline, the newest first. If `before` is given, return only
        promotions that are older than the promotion with this id."""
        ...

    async def delete(self, id_: UUID) -> bool:
        """Delete the baseline with its gates and its history. Return whether it existed."""
        ...

    async def gate(self, id_: UUID) -> SavedGate | None: ...

    async def add_gate(self, baseline_id: UUID, settings: GateSettings) -> UUID:
        """Add the gate and return its id. Raises `GateExists` if the baseline has a gate on this metric, and
        `BaselineGone` if the baseline was deleted meanwhile."""
        ...

    async def change_gate(self, id_: UUID, settings: GateSettings) -> bool:
        """Replace the gate's settings. Return `False` if there is no such gate. Raises `GateExists` if the baseline has
        another gate on this metric."""
        ...

    async def delete_gate(self, id_: UUID) -> bool: ...


@dataclass(frozen=True)
class DueRun:
    run_id: UUID
    org_id: UUID


@dataclass(frozen=True)
class GateToDecide:
    """A gate, and one run to compare the due run with: `baseline_run_id`. `role` says whether this run is the baseline,
    the anchor, or both at the same time."""

    gate_id: UUID
    baseline_id: UUID
    label: str
    role: Role
    baseline_run_id: UUID
    of_suite: bool
    metric: str
    task: str | None
    margin: float
    undecided: Undecided
    cluster_by: str | None


@dataclass(frozen=True)
class DueComparison:
    """The gates of a run that is due for a verdict. `last_seq` is the number of the run's last event: if it differs
    later, the run has changed."""

    last_seq: int
    gates: Sequence[GateToDecide]


class VerdictStore(Protocol):
    async def due(self, most: int) -> Sequence[DueRun]:
        """Return up to `most` finished runs of all organisations whose gates have to be decided, the oldest first."""
        ...

    async def comparison(self, run_id: UUID) -> DueComparison | None:
        """Return the gates of the run, each with a run to compare it with. Return `None` if the run is no longer
        due."""
        ...
