"""Watch the gates of all runs (the KV bucket `run_state`) with a single consumer, which is deleted at the end.

nats-py's own watch creates a consumer that outlives it by minutes, and another one after each quiet period. This watch
can also check that it has missed no change.

    async with watching_gates(broker) as watch:
        for change in await watch.snapshot(): ...
        while True:
            change = await watch.next()
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from nats.js.api import AckPolicy, ConsumerConfig, ConsumerInfo, DeliverPolicy
from nats.js.errors import NotFoundError

from llmbench.contracts.run_state import RUN_STATE_BUCKET
from llmbench.messaging.broker import Broker, client, jetstream
from llmbench.messaging.streams import run_state_bucket

STREAM = f"KV_{RUN_STATE_BUCKET}"
SNAPSHOT_TIMEOUT_S = 5.0
ABANDONED_S = 60.0
"""Seconds after which the server deletes the consumer of a killed process."""
_PREFIX = f"$KV.{RUN_STATE_BUCKET}."


@dataclass(frozen=True)
class GateChange:
    """A change of a run's gate. `key` is the run's id, and `value` the gate, `None` if it was deleted.

    A change with a higher `revision` is newer.
    """

    key: str
    value: bytes | None
    revision: int


class GateWatch:
    def __init__(self, js: JetStreamContext, consumer: ConsumerInfo, heard: "asyncio.Queue[Msg]") -> None:
        self._js = js
        self._consumer = consumer
        self._heard = heard
        self._last = 0

    async def snapshot(self) -> list[GateChange]:
        """Wait for the latest value of every key, and return these values. Call this once, before `next`. Raises
        `TimeoutError` after 5 s."""
        changes: list[GateChange] = []
        delivered = self._consumer.delivered.consumer_seq if self._consumer.delivered else 0
        if not self._consumer.num_pending and not delivered:
            return changes
        async with asyncio.timeout(SNAPSHOT_TIMEOUT_S):
            while True:
                message = await self._heard.get()
                changes.append(self._change(message))
                if message.metadata.num_pending == 0:
                    return changes

    async def next(self) -> GateChange:
        return self._change(await self._heard.get())

    async def is_sound(self) -> bool:
        """Return whether the consumer still exists and every message that it delivered has arrived.

        Raises nats-py's errors if NATS does not answer.
        """
        try:
            info = await self._js.consumer_info(STREAM, self._consumer.name)
        except NotFoundError:
            return False
        sent = info.delivered.consumer_seq if info.delivered else 0
        # Messages in the queue have arrived, too, although they are not handled yet.
        return sent <= self._last + self._heard.qsize()

    def _change(self, message: Msg) -> GateChange:
        self._last = message.metadata.sequence.consumer
        headers: dict[str, Any] = message.headers or {}
        gone = headers.get("KV-Operation") in ("DEL", "PURGE") or "Nats-Marker-Reason" in headers
        key = message.subject.removeprefix(_PREFIX)
        return GateChange(key, None if gone else message.data, message.metadata.sequence.stream)


@contextlib.asynccontextmanager
async def watching_gates(broker: Broker) -> AsyncIterator[GateWatch]:
    """Watch the run gates in the KV bucket `run_state`, which is created if it is missing. The watch's NATS consumer is
    deleted at the end of the block.

    Raises nats-py's errors, `TimeoutError` or `OSError` if NATS does not answer.
    """
    nats, js = client(broker), jetstream(broker)
    await run_state_bucket(js)
    heard: asyncio.Queue[Msg] = asyncio.Queue()
    inbox = nats.new_inbox()
    subscription = await nats.subscribe(inbox, cb=heard.put)
    consumer: ConsumerInfo | None = None
    try:
        consumer = await js.add_consumer(
            STREAM,
            ConsumerConfig(
                deliver_subject=inbox,
                deliver_policy=DeliverPolicy.LAST_PER_SUBJECT,
                ack_policy=AckPolicy.NONE,
                filter_subject=f"{_PREFIX}>",
                inactive_threshold=ABANDONED_S,
                mem_storage=True,
            ),
        )
        yield GateWatch(js, consumer, heard)
    finally:
        with contextlib.suppress(NatsError, TimeoutError, OSError):
            await subscription.unsubscribe()
        if consumer is not None:
            with contextlib.suppress(NatsError, TimeoutError, OSError):
                await js.delete_consumer(STREAM, consumer.name)
