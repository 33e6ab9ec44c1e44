"""Request to the inference gateway: read the complete answer of a call whose event carried only a preview."""

from typing import Any, ClassVar, Literal
from uuid import UUID

from llmbench.contracts.base import Message, Value


class ReadCall(Message):
    SUBJECT: ClassVar[str] = "req.call.read"

    type: Literal["llmbench.req.read_call.v1"] = "llmbench.req.read_call.v1"
    call_id: UUID

    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = (
        {"type": "llmbench.req.read_call.v1", "call_id": "5a7c2d1e-0000-5000-8000-000000000001"},
    )


class CallRead(Value):
    """The gateway's reply. `content` is the complete answer, null when the call is not stored or has no answer."""

    call_id: UUID
    content: str | None
