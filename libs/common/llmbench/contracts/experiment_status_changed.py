"""Event: an experiment changed its state, or stopped by its rule."""

from typing import Any, ClassVar, Literal
from uuid import UUID

from llmbench.contracts.base import Message, UtcTime
from llmbench.contracts.experiment_words import ExperimentStatus, StopRule


class ExperimentStatusChanged(Message):
    """The state of an experiment changed. `stop_rule` is the rule by which the experiment stopped by itself, null
    otherwise. `winner` is null until the experiment is concluded. It is then the id of a variant, or `no_winner`."""

    SUBJECT: ClassVar[str] = "evt.experiment.{experiment_id}.status"

    type: Literal["llmbench.experiment.status_changed.v1"] = "llmbench.experiment.status_changed.v1"
    experiment_id: UUID
    name: str
    at: UtcTime
    status: ExperimentStatus
    reason: str | None = None
    stop_rule: StopRule | None = None
    winner: str | None = None

    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = (
        {
            "type": "llmbench.experiment.status_changed.v1",
            "experiment_id": "0193a000-0000-7000-8000-0000000000e1",
            "name": "Shorter prompt",
            "at": "2026-01-01T12:09:00.000Z",
            "status": "PAUSED",
            "reason": "'short' scores 0.08 more than 'control' (0.02 to 0.14), after 140 of 400 cases.",
            "stop_rule": "decided",
        },
    )
