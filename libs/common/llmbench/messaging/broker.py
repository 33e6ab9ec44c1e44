"""One connection to NATS per process, with the settings that survive a broker's restart."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from faststream.exceptions import IncorrectState
from faststream.nats import NatsBroker, NatsMessage
from nats.aio.client import Client
from nats.errors import ConnectionClosedError
from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from nats.js.api import PubAck

from llmbench.background import end
from llmbench.messaging.observer import Observer

_log = logging.getLogger(__name__)

STOP_S = 3.0
RESTORE_AGAIN_S = 0.5
PUBLISH_TIMEOUT_S = 5.0
"""nats-py's own default of 0.5 s gives up on a broker that is merely busy."""


class LostOnTheWay(NatsError):
    def __str__(self) -> str:
        return "the connection broke before the acknowledgement came"


class Broker(NatsBroker):
    """FastStream's broker, which remembers why it is not connected, and never gives up."""

    trouble: str = "no connection yet"
    pull_inboxes: bytes = b"_INBOX."
    restoring: "asyncio.Task[None] | None" = None
    """What runs after a reconnection, for as long as it takes."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.reconnections: set[Callable[[], None]] = set()
        """Who wants to be told of each."""
        self._unacknowledged: set[asyncio.Future[PubAck]] = set()

    async def publish_async(self, subject: str, payload: bytes, headers: dict[str, str]) -> "asyncio.Future[PubAck]":
        """To a stream, which acknowledges it later. Raises nats-py's errors, and so does the future: `LostOnTheWay` as
        soon as the connection breaks, after which nats-py would have it wait for nothing."""
        sent: asyncio.Future[PubAck] = await jetstream(self).publish_async(subject, payload, headers=headers)
        self._unacknowledged.add(sent)
        sent.add_done_callback(self._unacknowledged.discard)
        return sent

    def lose_unacknowledged(self) -> None:
        """The connection is gone, and with it the answers that were to come over it."""
        for sent in tuple(self._unacknowledged):
            if not sent.done():
                sent.set_exception(LostOnTheWay())

    def subscriber(self, *args: Any, **options: Any) -> Any:
        """FastStream's, with pulled messages delivered to our own inboxes. A handler takes the message itself."""
        return super().subscriber(*args, **{"inbox_prefix": self.pull_inboxes, "decoder": _whole, **options})

    def _log_connection_broken(self, error_cb: Any = None) -> Any:
        # FastStream's own raises a refused login out of nats-py's loop, which then tries no more. A
        # login can be made, or a password corrected, while we wait.
        return error_cb


def inbox_prefix(service: str) -> str:
    """Replies to a service come to inboxes of its own, which no other login may listen to."""
    return f"_INBOX_{service}"


def make_broker(nats_url: str, *, service: str, on_reconnect: Callable[[], Awaitable[None]] | None = None) -> Broker:
    """A FastStream broker, not yet connected. Connects and reconnects for as long as it takes;
    `on_reconnect` runs after each reconnection (a broker that came back may have lost its store: ensure the
    topology again), and again until it does not fail or the connection is lost."""

    async def restore(on_reconnect: Callable[[], Awaitable[None]]) -> None:
        while True:
            try:
                await on_reconnect()
            except Exception as error:  # noqa: BLE001  # a full disk, a database that is away: another try may help
                _log.warning("not all is in place again after the reconnection (%r); trying again", error)
                await asyncio.sleep(RESTORE_AGAIN_S)
            else:
                return

    async def disconnected() -> None:
        broker.trouble = "the connection was lost"
        _log.warning("NATS connection lost; reconnecting")
        broker.lose_unacknowledged()
        await _stop_restoring(broker)

    async def reconnected() -> None:
        _log.info("NATS connection is back")
        for told in broker.reconnections:
            told()
        if on_reconnect is not None:
            await _stop_restoring(broker)
            # In a task of its own: nats-py takes what this raises for a connection that failed, makes a second one
            # beside it, and reads from neither.
            broker.restoring = asyncio.create_task(restore(on_reconnect), name="restore")

    async def failed(error: Exception) -> None:
        trouble = str(error) or repr(error)
        if "permissions violation" in trouble.lower():
            # Of one subject, on a connection that stands: a mistake in the server's list of permissions.
            _log.error("NATS does not allow %s what it needs: %s", service, trouble)
            return
        # The same every quarter of a second: worth a line when it changes.
        _log.log(logging.DEBUG if trouble == broker.trouble else logging.WARNING, "NATS: %s", trouble)
        broker.trouble = trouble

    broker = Broker(
        nats_url,
        name=f"llmbench-{service}",
        inbox_prefix=inbox_prefix(service),
        max_reconnect_attempts=-1,
        reconnect_time_wait=0.25,
        connect_timeout=5,
        ping_interval=10,
        disconnected_cb=disconnected,
        reconnected_cb=reconnected,
        error_cb=failed,
        logger=None,
        middlewares=[Observer],
        # Resolving what a handler might want, in a thread, is more work than most handlers do.
        apply_types=False,
    )
    broker.pull_inboxes = f"{inbox_prefix(service)}.".encode()
    return broker


def nats_lacking(broker: Broker) -> str | None:
    """What to say on `/health/ready`; `None` while the connection stands."""
    try:
        if client(broker).is_connected:
            return None
    except ConnectionClosedError:
        pass
    return f"NATS does not answer: {broker.trouble}"


async def stop_broker(broker: NatsBroker) -> None:
    """Drain and close; while the server is away there is nothing to drain, and FastStream's own stop raises."""
    if isinstance(broker, Broker):
        await _stop_restoring(broker)
    try:
        async with asyncio.timeout(STOP_S):
            await broker.stop()
    except (NatsError, TimeoutError, OSError):
        with contextlib.suppress(NatsError, TimeoutError, OSError):
            async with asyncio.timeout(STOP_S):
                await client(broker).close()


async def _whole(message: NatsMessage) -> NatsMessage:
    """The registry parses bodies: an unreadable one must reach the handler to be discarded."""
    return message


async def _stop_restoring(broker: Broker) -> None:
    task, broker.restoring = broker.restoring, None
    if task is not None:
        await end(task)


def client(broker: NatsBroker) -> Client:
    """The nats-py client under a broker. Raises nats-py's `ConnectionClosedError` before the first connection."""
    try:
        connection: Client = broker.config.connection_state.connection
    except IncorrectState as early:
        raise ConnectionClosedError from early
    return connection


def jetstream(broker: NatsBroker) -> JetStreamContext:
    """The JetStream context under a broker. Raises nats-py's `ConnectionClosedError` before the first connection."""
    try:
        context: JetStreamContext = broker.config.connection_state.stream
    except IncorrectState as early:
        raise ConnectionClosedError from early
    return context
