"""Publish messages: JSON as the body, CloudEvents 1.0 attributes as headers."""

import asyncio
from datetime import UTC, datetime
from typing import Protocol
from uuid import UUID

from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.js.api import PubAck

from llmbench.contracts.base import Message, rfc3339
from llmbench.errors import MessageTooLarge
from llmbench.ids import new_id
from llmbench.messaging.broker import PUBLISH_TIMEOUT_S
from llmbench.messaging.owner import ACTOR, ORGANISATION
from llmbench.messaging.streams import MAX_PAYLOAD_BYTES
from llmbench.observability.telemetry import current_traceparent
from llmbench.organisation import bound_actor, bound_organisation

NO_REPLY = (NatsError, OSError)
"""The errors of `request`: no subscriber, no reply in time, or a connection that is closed, closing or overloaded."""

_HEADER_ALLOWANCE_BYTES = 4096


def encode(message: Message) -> bytes:
    """Return the body of the message. Raises `MessageTooLarge` above NATS's limit; a message is never truncated."""
    body = message.model_dump_json(exclude_none=True).encode()
    if len(body) > MAX_PAYLOAD_BYTES - _HEADER_ALLOWANCE_BYTES:
        raise MessageTooLarge(subject=message.subject(), size_bytes=len(body), limit_bytes=MAX_PAYLOAD_BYTES)
    return body


def headers(
    *,
    service: str,
    type_: str,
    message_id: UUID,
    at: datetime,
    traceparent: str | None,
    org_id: UUID | None = None,
    person_id: UUID | None = None,
) -> dict[str, str]:
    """Return the headers: CloudEvents (NATS protocol binding, binary mode), W3C trace context, message id.

    The message belongs to `org_id`, and `person_id` asked for it; by default, those that the current task works for.
    """
    owner = org_id or bound_organisation()
    actor = person_id or bound_actor()
    return {
        "ce-specversion": "1.0",
        "ce-id": str(message_id),
        "ce-type": type_,
        "ce-source": f"/llmbench/{service}",
        "ce-time": rfc3339(at.astimezone(UTC)),
        "content-type": "application/json",
        "traceparent": traceparent or current_traceparent(),
        "Nats-Msg-Id": str(message_id),
        **({} if owner is None else {ORGANISATION: str(owner)}),
        **({} if actor is None else {ACTOR: str(actor)}),
    }


class ToStreams(Protocol):
    """An object that publishes to streams: a `Broker`, or nats-py's JetStream context.

    Only a `Broker` reports messages that were lost because the connection broke.
    """

    async def publish_async(
        self, subject: str, payload: bytes, *, headers: dict[str, str]
    ) -> "asyncio.Future[PubAck]": ...


async def publish_durably(
    streams: ToStreams, message: Message, *, service: str, message_id: UUID | None = None
) -> None:
    """Publish to a stream and await the acknowledgement; for services without an outbox.

    Raises nats-py's errors, also when the connection breaks meanwhile, and `TimeoutError` when the broker does not
    acknowledge within `PUBLISH_TIMEOUT_S`.
    """
    async with asyncio.timeout(PUBLISH_TIMEOUT_S):
        await (
            await streams.publish_async(
                message.subject(),
                encode(message),
                headers=headers(
                    service=service,
                    type_=message.type,
                    message_id=message_id or new_id(),
                    at=datetime.now(UTC),
                    traceparent=None,
                ),
            )
        )


async def publish_lossy(nats: Client, message: Message, *, service: str) -> None:
    """Publish on core NATS, for subjects `ctl.>`.

    A message may be lost. That is harmless, because the receivers also reconcile periodically.
    """
    message_id = new_id()
    await nats.publish(
        message.subject(),
        encode(message),
        headers=headers(
            service=service, type_=message.type, message_id=message_id, at=datetime.now(UTC), traceparent=None
        ),
    )


async def request(nats: Client, message: Message, *, service: str, timeout_s: float) -> bytes:
    """Send a request on core NATS (`req.>`). Raises one of `NO_REPLY`."""
    reply = await nats.request(
        message.subject(),
        encode(message),
        timeout=timeout_s,
        headers=headers(
            service=service, type_=message.type, message_id=new_id(), at=datetime.now(UTC), traceparent=None
        ),
    )
    return reply.data
