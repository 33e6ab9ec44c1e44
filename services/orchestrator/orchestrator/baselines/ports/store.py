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
    """The run that becomes the baseline, the anchor, or both. `planned` has the probability to be fine and the clusters
    of each gate with this run, by the gate's id."""

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
        """Return baselines in the order of their creation; null selects every subject or label."""
        ...

    async def baseline(self, id_: UUID) -> BaselineOut | None: ...

    async def create(self, new: NewBaseline) -> UUID:
        """Create the baseline; its run is the anchor as well. Raises `LabelTaken` or `RunGone`."""
        ...

    async def promote(self, id_: UUID, new: NewPromotion) -> bool:
        """Store the promotion. Return `False` if there is no such baseline. Raises `RunGone`."""
        ...

    async def history(self, id_: UUID, *, before: UUID | None, limit: int) -> list[Promotion]:
        """Return the promotions, the newest first."""
        ...

    async def delete(self, id_: UUID) -> bool:
        """Delete the baseline with its gates and its history. Return whether it existed."""
        ...

    async def gate(self, id_: UUID) -> SavedGate | None: ...

    async def add_gate(self, baseline_id: UUID, settings: GateSettings) -> UUID:
        """Add the gate and return its id. Raises `GateExists` or `BaselineGone`."""
        ...

    async def change_gate(self, id_: UUID, settings: GateSettings) -> bool:
        """Return `False` if there is no such gate. Raises `GateExists`."""
        ...

    async def delete_gate(self, id_: UUID) -> bool: ...


@dataclass(frozen=True)
class DueRun:
    run_id: UUID
    org_id: UUID


@dataclass(frozen=True)
class GateToDecide:
    """A gate, and one run with which the due run is compared by it."""

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
        """Return finished runs of all organisations that have to be compared, the oldest first."""
        ...

    async def comparison(self, run_id: UUID) -> DueComparison | None:
        """Return what the run has to be compared with. `None` if it is no longer due."""
        ...
