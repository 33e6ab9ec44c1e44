"""Event: the progress of a run. Each event replaces the one before; slow readers may skip some."""

from typing import Any, ClassVar, Literal
from uuid import UUID

from llmbench.contracts.base import Message, UtcTime, Value
from llmbench.contracts.run_words import GroupStatus, RunPhase


class CurrentWork(Value):
    """A model group that is at work, and the first of its items in progress, if there is one."""

    group_id: UUID
    group_status: GroupStatus
    provider_name: str
    model: str
    target_label: str | None = None
    item_id: UUID | None = None
    task_id: str | None = None
    backoff_until: UtcTime | None = None
    backoff_reason: str | None = None


class RunProgressed(Message):
    """The progress of a run, as numbers of items.

    `answered` items have an answer. `judged` items are COMPLETED, `failed` ones FAILED, and `skipped` ones SKIPPED. A
    run is done when judged + failed + skipped = items. `cost_usd` is the sum of the known costs. `current` is the first
    model group at work; `others` are further groups at work, if the run allows parallel groups.
    """

    SUBJECT: ClassVar[str] = "evt.run.{run_id}.progress"

    type: Literal["llmbench.run.progressed.v1"] = "llmbench.run.progressed.v1"
    run_id: UUID
    run_seq: int = 0
    at: UtcTime
    phase: RunPhase
    items: int
    answered: int
    judged: int
    failed: int
    skipped: int = 0
    cost_usd: float = 0
    current: CurrentWork | None = None
    others: tuple[CurrentWork, ...] | None = None

    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = (
        {
            "type": "llmbench.run.progressed.v1",
            "run_id": "0193a000-0000-7000-8000-000000000001",
            "run_seq": 7,
            "at": "2026-01-01T12:00:00.000Z",
            "phase": "BENCHMARKING",
            "items": 100,
            "answered": 15,
            "judged": 0,
            "failed": 1,
            "current": {
                "group_id": "0193a000-0000-7000-8000-000000000002",
                "group_status": "OPEN",
                "provider_name": "Local Ollama",
                "model": "smollm2:135m",
                "target_label": "smollm2 t=0",
                "item_id": "0193a000-0000-7000-8000-000000000003",
                "task_id": "arith-016",
            },
        },
    )
