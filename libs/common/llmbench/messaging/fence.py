"""Make a round trip to NATS that proves that subscriptions are active."""

from nats.aio.client import Client
from nats.errors import ConnectionClosedError

ANSWER_WITHIN_S = 10


async def fence(client: Client) -> None:
    """Wait until the server has processed everything that this client sent. Its subscriptions are active then.

    nats-py's `flush` may write its PING before commands that are still queued. After the first reply these commands are
    written, so a second `flush` follows them.

    Raises nats-py's errors: `FlushTimeoutError` without a reply, `ConnectionClosedError` without a connection (`flush`
    alone would return at once).
    """
    await client.flush(timeout=ANSWER_WITHIN_S)
    await client.flush(timeout=ANSWER_WITHIN_S)
    if not client.is_connected:
        raise ConnectionClosedError
