"""Event: a round of an experiment began, or ended."""

from typing import Any, ClassVar, Literal
from uuid import UUID

from llmbench.contracts.base import Message, UtcTime
from llmbench.contracts.experiment_words import RoundStatus


class ExperimentRoundChanged(Message):
    """A round began or ended. In a split design, where each variant has a run of its own, the event is only about the
    run of one variant. `run_id` is null while the run is being created."""

    SUBJECT: ClassVar[str] = "evt.experiment.{experiment_id}.round"

    type: Literal["llmbench.experiment.round_changed.v1"] = "llmbench.experiment.round_changed.v1"
    experiment_id: UUID
    round_id: UUID
    number: int
    at: UtcTime
    status: RoundStatus
    variants: tuple[str, ...]
    cases: int
    run_id: UUID | None = None
    reason: str | None = None

    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = (
        {
            "type": "llmbench.experiment.round_changed.v1",
            "experiment_id": "0193a000-0000-7000-8000-0000000000e1",
            "round_id": "0193a000-0000-7000-8000-0000000000e2",
            "number": 3,
            "at": "2026-01-01T12:05:00.000Z",
            "status": "STARTED",
            "variants": ["control", "short"],
            "cases": 20,
            "run_id": "0193a000-0000-7000-8000-000000000001",
        },
    )
