"""Bind the organisation and the person of a received message, and record its trace, its id in log lines, and its
duration by type."""

import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

from faststream import BaseMiddleware
from faststream.message import StreamMessage
from nats.aio.msg import Msg
from opentelemetry.trace import SpanKind

from llmbench.contracts.registry import messages
from llmbench.messaging.owner import actor_of, organisation_of
from llmbench.observability.logs import bound
from llmbench.observability.metrics import MESSAGE_SECONDS
from llmbench.observability.telemetry import incoming
from llmbench.organisation import asked_by, working_for


@contextmanager
def observed(message: Msg) -> Iterator[None]:
    headers = message.headers or {}
    type_, id_ = message_type(headers), str(headers.get("ce-id", ""))
    attributes = {
        "messaging.system": "nats",
        "messaging.operation.name": "process",
        "messaging.operation.type": "process",
        "messaging.destination.name": message.subject,
        "messaging.message.id": id_,
    }
    began = time.perf_counter()
    try:
        with (
            working_for(organisation_of(headers)),
            asked_by(actor_of(headers)),
            bound(message_id=id_),
            incoming(headers.get("traceparent"), f"process {type_}", SpanKind.CONSUMER, attributes),
        ):
            yield
    finally:
        MESSAGE_SECONDS.labels(type_).observe(time.perf_counter() - began)


class Observer(BaseMiddleware):
    """A FastStream middleware that applies `observed` to each received message. `make_broker` installs it."""

    async def consume_scope(
        self, call_next: Callable[[StreamMessage[Any]], Awaitable[Any]], msg: StreamMessage[Any]
    ) -> Any:
        try:
            with observed(msg.raw_message):
                return await call_next(msg)
        finally:
            # FastStream caches the decoded value, which is the message itself. Break this reference cycle, because
            # otherwise only the garbage collector would free the message.
            msg.clear_cache()


def message_type(headers: dict[str, Any] | None) -> str:
    """Return the type in the header `ce-type` if the contracts define it, else "unknown".

    The type is a metric label, so senders must not be able to create any number of types.
    """
    type_ = str((headers or {}).get("ce-type", ""))
    return type_ if type_ in messages() else "unknown"
