"""Publish the configuration's events: create missing NATS streams, and relay the outbox table `config_outbox`.

A message waits in the outbox while NATS is unreachable.
"""

from nats.aio.client import Client

from llmbench.db.tables import config_outbox
from llmbench.messaging.broker import Broker, client, jetstream, nats_lacking
from llmbench.messaging.outbox import Relay
from llmbench.messaging.streams import ensure_streams

SERVICE = "config-api"


class Publishing:
    def __init__(self, broker: Broker, *, database_url: str) -> None:
        self._broker = broker
        self._relay = Relay(database_url, broker, config_outbox, service=SERVICE)

    def nats(self) -> Client | None:
        """Return the NATS connection, or `None` while there is none."""
        return None if nats_lacking(self._broker) else client(self._broker)

    async def ensure_streams(self) -> None:
        """Create missing streams. Raises nats-py's errors if NATS does not answer."""
        await ensure_streams(jetstream(self._broker), settle=False)

    async def run(self) -> None:
        """Publish the events in the outbox. Never returns."""
        await self._relay.run()
