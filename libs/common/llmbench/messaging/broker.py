"""One connection to NATS per process, with the settings that survive a broker's restart."""

import logging
from collections.abc import Awaitable, Callable

from faststream.nats import NatsBroker
from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.js import JetStreamContext

from llmbench.messaging.observer import Observer

_log = logging.getLogger(__name__)

PUBLISH_TIMEOUT_S = 5.0
"""nats-py's own default of 0.5 s gives up on a broker that is merely busy."""


def make_broker(
    nats_url: str, *, service: str, on_reconnect: Callable[[], Awaitable[None]] | None = None
) -> NatsBroker:
    """A FastStream broker, not yet connected. Reconnects for ever; `on_reconnect` runs after each
    reconnection (a broker that came back may have lost its store: ensure the topology again)."""

    async def disconnected() -> None:
        _log.warning("NATS connection lost; reconnecting")

    async def reconnected() -> None:
        _log.info("NATS connection is back")
        if on_reconnect is not None:
            await on_reconnect()

    async def failed(error: Exception) -> None:
        _log.debug("NATS: %r", error)

    return NatsBroker(
        nats_url,
        name=f"llmbench-{service}",
        max_reconnect_attempts=-1,
        reconnect_time_wait=0.25,  # type: ignore[arg-type]  # nats-py takes fractions of a second
        connect_timeout=5,
        ping_interval=10,
        disconnected_cb=disconnected,
        reconnected_cb=reconnected,
        error_cb=failed,
        logger=None,
        middlewares=[Observer],
    )


async def stop_broker(broker: NatsBroker) -> None:
    """Drain and close; while the server is away there is nothing to drain, and FastStream's own stop raises."""
    try:
        await broker.stop()
    except NatsError:
        await client(broker).close()


def client(broker: NatsBroker) -> Client:
    """The nats-py client under a connected broker."""
    connection: Client = broker.config.connection_state.connection
    return connection


def jetstream(broker: NatsBroker) -> JetStreamContext:
    """The JetStream context under a connected broker."""
    context: JetStreamContext = broker.config.connection_state.stream
    return context
