"""Be sure that a subscription holds."""

from nats.aio.client import Client
from nats.errors import ConnectionClosedError

ANSWER_WITHIN_S = 10


async def fence(client: Client) -> None:
    """Return once the server has taken all that this client sent: its subscriptions hold from here on.

    nats-py's `flush` writes its PING past commands that still wait to be written. When the first one is answered they
    are written, and the second one comes behind them. Raises nats-py's errors: `FlushTimeoutError` where no answer
    comes, `ConnectionClosedError` where there is no connection; without one `flush` returns at once.
    """
    await client.flush(timeout=ANSWER_WITHIN_S)
    await client.flush(timeout=ANSWER_WITHIN_S)
    if not client.is_connected:
        raise ConnectionClosedError
