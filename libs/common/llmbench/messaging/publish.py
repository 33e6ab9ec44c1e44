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
"""The errors of a request without a reply, such as no subscriber, no reply in time, or a closed connection."""

_HEADER_ALLOWANCE_BYTES = 4096


def encode(message: Message) -> bytes:
    """Return the message as JSON, without fields that are `None`.

    Raises `MessageTooLarge` if the JSON, with 4 KiB for headers, exceeds NATS's limit (`MAX_PAYLOAD_BYTES`).
    """
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
    """Return a message's headers: CloudEvents (NATS protocol binding, binary mode), W3C trace context, message id.

    The message belongs to `org_id`, and is sent on behalf of `person_id`. By default, these are the organisation and
    the person of the current task. Without `traceparent`, the current task's trace is continued.
    """
    owner = org_id or bound_organisation()
    actor = person_id or bound_actor()
    return {
        "ce-specversion": "1.0",
        "ce-id": str(message_id),
        "ce-type": type_,
        "ce-source": f"/llmbench/{service}",
        "ce-time": rfc3339(at),
        "content-type": "application/json",
        "traceparent": traceparent or current_traceparent(),
        "Nats-Msg-Id": str(message_id),
        **({} if owner is None else {ORGANISATION: str(owner)}),
        **({} if actor is None else {ACTOR: str(actor)}),
    }


class StreamPublisher(Protocol):
    """An object that publishes to streams: a `Broker`, or nats-py's JetStream context.

    Only with a `Broker` does the future of an acknowledgement fail when the connection breaks.
    """

    async def publish_async(
        self, subject: str, payload: bytes, *, headers: dict[str, str]
    ) -> "asyncio.Future[PubAck]": ...


async def publish_durably(
    streams: StreamPublisher, message: Message, *, service: str, message_id: UUID | None = None
) -> None:
    """Publish to a stream and await the acknowledgement; for services without an outbox.

    Raises nats-py's errors, `TimeoutError` if the stream does not acknowledge within `PUBLISH_TIMEOUT_S`, and
    `MessageTooLarge` if the message is too large for NATS. JetStream drops a message that has the `message_id` of a
    recent one; by default the id is new.
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
    """Publish on core NATS, without acknowledgement, for the subjects `ctl.>`.

    The message may be lost. That is harmless, because the receivers also reconcile periodically. Raises nats-py's
    errors, such as without a connection, and `MessageTooLarge` for a message that is too large.
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
    """Send a request on core NATS (`req.>`), and return the body of the reply.

    Raises one of the errors in `NO_REPLY`, for example if no reply comes within `timeout_s`. Raises `MessageTooLarge`
    for a body that is too large.
    """
    reply = await nats.request(
        message.subject(),
        encode(message),
        timeout=timeout_s,
        headers=headers(
            service=service, type_=message.type, message_id=new_id(), at=datetime.now(UTC), traceparent=None
        ),
    )
    return reply.data
