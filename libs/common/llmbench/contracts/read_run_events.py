"""Request to the orchestrator: read a page of a run's stored events, to replay them."""

from typing import Any, ClassVar, Literal
from uuid import UUID

from pydantic import Field

from llmbench.contracts.base import Message, Value
from llmbench.contracts.run_event import RunEvent


class ReadRunEvents(Message):
    """A request for the first `limit` events of a run with `run_seq >= from_seq`, in ascending order."""

    SUBJECT: ClassVar[str] = "req.run.events"

    type: Literal["llmbench.req.read_run_events.v1"] = "llmbench.req.read_run_events.v1"
    run_id: UUID
    from_seq: int = Field(default=1, ge=0)
    limit: int = Field(default=500, ge=1, le=1000)

    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = (
        {
            "type": "llmbench.req.read_run_events.v1",
            "run_id": "0193a000-0000-7000-8000-000000000001",
            "from_seq": 1,
        },
    )


class RunEventPage(Value):
    """The orchestrator's reply, a page of events. `next_seq` is the `run_seq` at which the next page starts, and
    `last_seq` the `run_seq` of the run's newest event. `found` is false when the run does not exist."""

    found: bool = True
    events: tuple[RunEvent, ...] = ()
    next_seq: int
    last_seq: int
