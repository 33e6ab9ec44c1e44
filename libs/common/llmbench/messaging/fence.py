"""Wait until the NATS server has processed everything that a client sent."""

from nats.aio.client import Client
from nats.errors import ConnectionClosedError

ANSWER_WITHIN_S = 10


async def fence(client: Client) -> None:
    """Wait until the server has processed everything that this client sent. After that its subscriptions are active.

    nats-py's `flush` may write its PING before commands that are still queued. When the reply arrives, the queued
    commands are written, so the PING of a second `flush` follows them.

    Raises nats-py's errors, such as `FlushTimeoutError` without a reply within 10 s, and `ConnectionClosedError`
    without a connection.
    """
    await client.flush(timeout=ANSWER_WITHIN_S)
    await client.flush(timeout=ANSWER_WITHIN_S)
    if not client.is_connected:
        raise ConnectionClosedError
