"""Event: a run changed its state, its phase or its status reason, or its gates were decided."""

from typing import Any, ClassVar, Literal
from uuid import UUID

from llmbench.contracts.base import Message, UtcTime
from llmbench.contracts.gate_words import GateNews
from llmbench.contracts.run_words import RunOutcome, RunPhase, RunStatus


class RunStatusChanged(Message):
    SUBJECT: ClassVar[str] = "evt.run.{run_id}.status"

    type: Literal["llmbench.run.status_changed.v1"] = "llmbench.run.status_changed.v1"
    run_id: UUID
    run_seq: int = 0
    at: UtcTime
    status: RunStatus
    phase: RunPhase
    outcome: RunOutcome | None = None
    reason: str | None = None
    gate: GateNews | None = None

    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = (
        {
            "type": "llmbench.run.status_changed.v1",
            "run_id": "0193a000-0000-7000-8000-000000000001",
            "run_seq": 1,
            "at": "2026-01-01T12:00:00.000Z",
            "status": "RUNNING",
            "phase": "BENCHMARKING",
        },
        {
            "type": "llmbench.run.status_changed.v1",
            "run_id": "0193a000-0000-7000-8000-000000000001",
            "run_seq": 214,
            "at": "2026-01-01T12:09:00.000Z",
            "status": "FINISHED",
            "phase": "JUDGING",
            "outcome": "complete",
            "gate": {
                "verdict": "worse",
                "passed": False,
                "sentence": "worse than main: mean score -0.081 (90 % two-sided: -0.112 to -0.051) in 400 cases",
            },
        },
    )
