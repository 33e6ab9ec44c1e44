"""Event: an item of a run has changed. The event carries the item's complete row in the table of results.

A reader can show the row without further requests. The row does not contain prompt and answer.
"""

from typing import Any, ClassVar, Literal
from uuid import UUID

from llmbench.contracts.base import Message, UtcTime, Value
from llmbench.contracts.item_failure import ItemFailure
from llmbench.contracts.outcome import AnswerKind, CallFigures
from llmbench.contracts.run_words import ItemStatus


class ItemSummary(Value):
    """The fields of an item's row that identify the item and give its status, score or failure."""

    id: UUID
    position: int
    task_id: str
    category: str
    subcategory: str | None = None
    target_id: UUID
    target_label: str
    model: str
    epoch: int = 1
    status: ItemStatus
    attempts: int = 0
    score: float | None = None
    score_normalised: float | None = None
    passed: bool | None = None
    reason: str | None = None
    failure: ItemFailure | None = None


class ItemRow(CallFigures, ItemSummary):
    """One row of a results table. Times are in milliseconds.

    `score` is on its evaluator's own scale; `score_normalised` is the same score converted to 0…1. Both come from one
    evaluator revision, `score_revision_id`. `reason` is cut to 500 bytes of UTF-8.

    `cost_usd` is the answer's cost, null when no price is known. A `cached` answer caused no cost; its times are those
    of the earlier call. `turn` counts from 1 within the case's conversation. `finish_reason` is `length` when the
    answer was cut at its token limit. `answer_kind` is the kind of content (`AnswerKind`). `suite_task` names the task
    of the item in a run of a suite.
    """

    score_revision_id: UUID | None = None
    conversation_id: str | None = None
    turn: int | None = None
    answer_kind: AnswerKind | None = None
    suite_task: str | None = None


class ItemChanged(Message):
    SUBJECT: ClassVar[str] = "evt.run.{run_id}.item"

    type: Literal["llmbench.run.item_changed.v1"] = "llmbench.run.item_changed.v1"
    run_id: UUID
    run_seq: int = 0
    at: UtcTime
    item: ItemRow

    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = (
        {
            "type": "llmbench.run.item_changed.v1",
            "run_id": "0193a000-0000-7000-8000-000000000001",
            "run_seq": 8,
            "at": "2026-01-01T12:00:00.000Z",
            "item": {
                "id": "0193a000-0000-7000-8000-000000000003",
                "position": 0,
                "task_id": "arith-001",
                "category": "arithmetic",
                "target_id": "0193a000-0000-7000-8000-000000000008",
                "target_label": "smollm2 t=0",
                "model": "smollm2:135m",
                "status": "COMPLETED",
                "attempts": 1,
                "score": 9,
                "score_normalised": 0.9,
                "passed": True,
                "reason": "The sum is right.",
                "time_ms": 412,
                "first_token_ms": 35,
                "prompt_tokens": 31,
                "completion_tokens": 22,
                "tokens_per_second": 58.3,
                "finish_reason": "stop",
            },
        },
    )
