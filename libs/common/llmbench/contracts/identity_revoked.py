"""The event by which the identity service ends connections whose sessions or API keys are no longer valid."""

from typing import Any, ClassVar, Literal
from uuid import UUID

from llmbench.contracts.base import Message


class IdentityRevoked(Message):
    """Sessions or API keys have ended, or have to be checked again. Sockets that were opened with them are closed.

    Sent on core NATS. After a lost connection to NATS, gateway-ws closes all sockets, so a lost message does no harm.
    """

    SUBJECT: ClassVar[str] = "ctl.identity.revoked"

    type: Literal["llmbench.ctl.identity_revoked.v1"] = "llmbench.ctl.identity_revoked.v1"
    credentials: tuple[UUID, ...]

    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = (
        {
            "type": "llmbench.ctl.identity_revoked.v1",
            "credentials": ["0193a000-0000-7000-8000-0000000000cc"],
        },
    )
