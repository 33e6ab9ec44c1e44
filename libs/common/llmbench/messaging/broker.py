"""Connect a service to NATS, and reconnect without a time limit, such as after a restart of the NATS server."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from faststream.exceptions import IncorrectState
from faststream.nats import NatsBroker, NatsMessage
from faststream.nats.security import NatsSecurity
from nats.aio.client import Client
from nats.errors import ConnectionClosedError
from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from nats.js.api import PubAck

from llmbench.background import end
from llmbench.messaging.connect import EncryptedClient, servers_of, tls_context
from llmbench.messaging.observer import Observer
from llmbench.tls import NO_TLS, NatsTls, nats_tls_trouble

_log = logging.getLogger(__name__)

STOP_S = 3.0
RESTORE_AGAIN_S = 0.5
PUBLISH_TIMEOUT_S = 5.0
"""Seconds to wait for an acknowledgement. nats-py's default of 0.5 s is too short for a busy broker."""


class LostOnTheWay(NatsError):
    def __str__(self) -> str:
        return "the connection broke before the acknowledgement came"


class Broker(NatsBroker):
    """FastStream's broker, which also stores in `trouble` the reason why it is not connected (see `make_broker`)."""

    trouble: str = "no connection yet"
    pull_inboxes: bytes = b"_INBOX."
    restoring: "asyncio.Task[None] | None" = None
    """The task that runs `on_reconnect` after a reconnection."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.reconnections: set[Callable[[], None]] = set()
        """Callbacks for each reconnection."""
        self._unacknowledged: set[asyncio.Future[PubAck]] = set()

    async def _connect(self) -> Client:
        connection = EncryptedClient() if self._connection_kwargs.get("tls") else Client()
        await connection.connect(**self._connection_kwargs)
        self.config.connect(connection)
        return connection

    async def publish_async(self, subject: str, payload: bytes, headers: dict[str, str]) -> "asyncio.Future[PubAck]":
        """Publish to a stream, and return a future of the stream's acknowledgement.

        This method and the future raise nats-py's errors. The future raises `LostOnTheWay` as soon as the connection
        breaks.
        """
        sent: asyncio.Future[PubAck] = await jetstream(self).publish_async(subject, payload, headers=headers)
        self._unacknowledged.add(sent)
        sent.add_done_callback(self._unacknowledged.discard)
        return sent

    def lose_unacknowledged(self) -> None:
        """Fail the pending futures of `publish_async` with `LostOnTheWay`, because the connection is lost."""
        for sent in tuple(self._unacknowledged):
            if not sent.done():
                sent.set_exception(LostOnTheWay())

    def subscriber(self, *args: Any, **options: Any) -> Any:
        """Return FastStream's subscriber, with two changed defaults.

        Pulled messages are delivered to inboxes of this service, and handlers get the message with its body unparsed.
        """
        return super().subscriber(*args, **{"inbox_prefix": self.pull_inboxes, "decoder": _unparsed, **options})

    def _log_connection_broken(self, error_cb: Any = None) -> Any:
        # On a refused login, FastStream's callback would raise an error in nats-py's loop, which then stops trying to
        # connect. But the login may be created, or the password corrected, later.
        return error_cb


def inbox_prefix(service: str) -> str:
    """Return the prefix of the subjects on which a service receives replies. The permissions on NATS let no other
    service subscribe to them."""
    return f"_INBOX_{service}"


def make_broker(
    nats_url: str,
    *,
    service: str,
    tls: NatsTls = NO_TLS,
    on_reconnect: Callable[[], Awaitable[None]] | None = None,
) -> Broker:
    """Return a FastStream broker that is not yet connected. It connects and reconnects without a time limit.

    Raises `ValueError` for a file of `tls` that cannot be used.

    `on_reconnect` runs after each reconnection. It has to create missing streams and consumers, because the NATS server
    may have lost its store. It is repeated until it succeeds or the connection is lost.
    """

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
        for reconnection in broker.reconnections:
            reconnection()
        if on_reconnect is not None:
            await _stop_restoring(broker)
            # `on_reconnect` runs in a task of its own: nats-py would take an exception in its callback for a failed
            # connection. It would then open a second connection and read from neither.
            broker.restoring = asyncio.create_task(restore(on_reconnect), name="restore")

    async def failed(error: Exception) -> None:
        trouble = nats_tls_trouble(error) or str(error) or repr(error)
        if "permissions violation" in trouble.lower():
            # The server denied a subject on an open connection: the permissions of this login are wrong.
            _log.error("NATS does not allow %s what it needs: %s", service, trouble)
            return
        # The same message comes four times a second; it is logged as a warning only when it changes.
        _log.log(logging.DEBUG if trouble == broker.trouble else logging.WARNING, "NATS: %s", trouble)
        broker.trouble = trouble

    context = tls_context(nats_url, tls)
    broker = Broker(
        servers_of(nats_url),
        security=NatsSecurity(ssl_context=context, use_ssl=True) if context else None,
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
        # FastStream would resolve handler parameters in a thread, which costs more than most handlers do.
        apply_types=False,
    )
    broker.pull_inboxes = f"{inbox_prefix(service)}.".encode()
    return broker


def nats_lacking(broker: Broker) -> str | None:
    """Return a text about the missing connection, for `/health/ready`; `None` while connected."""
    try:
        if client(broker).is_connected:
            return None
    except ConnectionClosedError:
        pass
    return f"NATS does not answer: {broker.trouble}"


async def stop_broker(broker: NatsBroker) -> None:
    """Close the broker's connection, after its subscriptions have processed their messages.

    If that fails or takes more than 3 s, for example because there is no connection, close the connection at once.
    """
    if isinstance(broker, Broker):
        await _stop_restoring(broker)
    try:
        async with asyncio.timeout(STOP_S):
            await broker.stop()
    except (NatsError, TimeoutError, OSError):
        with contextlib.suppress(NatsError, TimeoutError, OSError):
            async with asyncio.timeout(STOP_S):
                await client(broker).close()


async def _unparsed(message: NatsMessage) -> NatsMessage:
    """Return the message itself instead of its parsed body.

    The registry parses bodies later, and an invalid message has to reach the handler to be discarded.
    """
    return message


async def _stop_restoring(broker: Broker) -> None:
    task, broker.restoring = broker.restoring, None
    if task is not None:
        await end(task)


def client(broker: NatsBroker) -> Client:
    """Return the nats-py client of a broker. Raises nats-py's `ConnectionClosedError` before the first connection."""
    try:
        connection: Client = broker.config.connection_state.connection
    except IncorrectState as early:
        raise ConnectionClosedError from early
    return connection


def jetstream(broker: NatsBroker) -> JetStreamContext:
    """Return a broker's JetStream context. Raises nats-py's `ConnectionClosedError` before the first connection."""
    try:
        context: JetStreamContext = broker.config.connection_state.stream
    except IncorrectState as early:
        raise ConnectionClosedError from early
    return context
