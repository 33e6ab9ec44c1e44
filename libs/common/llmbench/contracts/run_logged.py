"""Event: a line of a run's append-only log."""

from enum import StrEnum
from typing import Any, ClassVar, Literal
from uuid import UUID

from llmbench.contracts.base import Message, UtcTime


class LogKind(StrEnum):
    """The kind of a log line: PROMPT and ANSWER are a target's, JUDGE_PROMPT and VERDICT are the judge's.

    NOTE is about the run itself, such as a group that opened, or a pause of the run.
    """

    PROMPT = "prompt"
    ANSWER = "answer"
    JUDGE_PROMPT = "judge_prompt"
    VERDICT = "verdict"
    NOTE = "note"


class RunLogged(Message):
    """A line of a run's log. `text` has at most 4 KiB; it is the beginning of a longer text if `truncated` is set."""

    SUBJECT: ClassVar[str] = "evt.run.{run_id}.log"

    type: Literal["llmbench.run.logged.v1"] = "llmbench.run.logged.v1"
    run_id: UUID
    run_seq: int = 0
    at: UtcTime
    level: Literal["info", "warning", "error"] = "info"
    kind: LogKind = LogKind.NOTE
    text: str
    truncated: bool = False
    item_id: UUID | None = None
    task_id: str | None = None
    target_label: str | None = None
    model: str | None = None

    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = (
        {
            "type": "llmbench.run.logged.v1",
            "run_id": "0193a000-0000-7000-8000-000000000001",
            "run_seq": 9,
            "at": "2026-01-01T12:00:00.000Z",
            "kind": "answer",
            "text": "42",
            "item_id": "0193a000-0000-7000-8000-000000000003",
            "task_id": "arith-001",
            "target_label": "smollm2 t=0",
            "model": "smollm2:135m",
        },
    )
