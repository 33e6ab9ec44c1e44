"""Be sure that a subscription holds."""

from nats.aio.client import Client


async def fence(client: Client) -> None:
    """Return once the server has taken all that this client sent: its subscriptions hold from here on.

    nats-py's `flush` writes its PING past commands that still wait to be written. When the first one is answered they
    are written, and the second one comes behind them.
    """
    await client.flush()
    await client.flush()
