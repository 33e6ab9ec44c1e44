"""Event from the inference gateway: a command to call a model has an outcome."""

from typing import Any, ClassVar, Literal
from uuid import UUID

from llmbench.contracts.base import Message, UtcTime
from llmbench.contracts.generate_completion import Purpose
from llmbench.contracts.outcome import Outcome


class CallFinished(Message):
    """The event that reports the outcome of a call. The gateway stores every outcome but `NotStarted` before it sends
    the event.

    `from_memory` is true when the outcome was stored earlier and is sent again without another paid call.
    """

    SUBJECT: ClassVar[str] = "evt.call.{call_id}"

    type: Literal["llmbench.call.finished.v1"] = "llmbench.call.finished.v1"
    call_id: UUID
    run_id: UUID
    group_id: UUID
    purpose: Purpose
    item_id: UUID | None = None
    score_id: UUID | None = None
    dispatch: int
    prompt_preview: str = ""
    outcome: Outcome
    from_memory: bool = False
    finished_at: UtcTime

    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = (
        {
            "type": "llmbench.call.finished.v1",
            "call_id": "5a7c2d1e-0000-5000-8000-000000000001",
            "run_id": "0193a000-0000-7000-8000-000000000001",
            "group_id": "0193a000-0000-7000-8000-000000000002",
            "purpose": "item",
            "item_id": "0193a000-0000-7000-8000-000000000003",
            "dispatch": 1,
            "prompt_preview": "What is 17 + 25?",
            "outcome": {
                "kind": "answered",
                "preview": "42",
                "finish_reason": "stop",
                "usage": {"prompt_tokens": 12, "completion_tokens": 2},
                "timings": {"total_ms": 41, "first_token_ms": 20, "first_content_ms": 20, "tokens_per_second": 95.2},
            },
            "finished_at": "2026-01-01T12:00:00.000Z",
        },
        {
            "type": "llmbench.call.finished.v1",
            "call_id": "5a7c2d1e-0000-5000-8000-000000000002",
            "run_id": "0193a000-0000-7000-8000-000000000001",
            "group_id": "0193a000-0000-7000-8000-000000000002",
            "purpose": "item",
            "item_id": "0193a000-0000-7000-8000-000000000003",
            "dispatch": 2,
            "outcome": {"kind": "rate_limited", "message": "429 Too Many Requests", "retry_after_s": 20},
            "finished_at": "2026-01-01T12:00:01.000Z",
        },
    )
