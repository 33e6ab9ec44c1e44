"""Around every message that is handed to a handler: its trace, its ids in the logs, its time."""

import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

from faststream import BaseMiddleware
from faststream.message import StreamMessage
from nats.aio.msg import Msg
from opentelemetry.trace import SpanKind

from llmbench.contracts.registry import messages
from llmbench.logs import bound
from llmbench.metrics import MESSAGE_SECONDS
from llmbench.telemetry import incoming


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
            bound(message_id=id_),
            incoming(headers.get("traceparent"), f"process {type_}", SpanKind.CONSUMER, attributes),
        ):
            yield
    finally:
        MESSAGE_SECONDS.labels(type_).observe(time.perf_counter() - began)


class Observer(BaseMiddleware):
    """A middleware of `make_broker`: handlers need not know of it."""

    async def consume_scope(
        self, call_next: Callable[[StreamMessage[Any]], Awaitable[Any]], msg: StreamMessage[Any]
    ) -> Any:
        try:
            with observed(msg.raw_message):
                return await call_next(msg)
        finally:
            # What it was decoded to is the message itself: a circle that would wait for the collector.
            msg.clear_cache()


def message_type(headers: dict[str, Any] | None) -> str:
    """One of the contracts', so that a stranger's headers cannot make up ever new ones."""
    type_ = str((headers or {}).get("ce-type", ""))
    return type_ if type_ in messages() else "unknown"
