"""Manage the service's connection to NATS, its streams, and the relay of `config_outbox`.

These run next to the HTTP server. They survive a broker that starts late, stops, or loses its store: unpublished
messages wait in the outbox.
"""

import asyncio
import logging
from types import TracebackType
from typing import Self

from nats.aio.client import Client
from nats.errors import Error as NatsError

from llmbench.background import end
from llmbench.db.tables import config_outbox
from llmbench.messaging.broker import client, jetstream, make_broker, nats_lacking, stop_broker
from llmbench.messaging.outbox import Relay
from llmbench.messaging.streams import ensure_streams

SERVICE = "config-api"
_RETRY_S = 1.0
_log = logging.getLogger(__name__)


class Publishing:
    def __init__(self, *, nats_url: str, database_url: str) -> None:
        self._broker = make_broker(nats_url, service=SERVICE, on_reconnect=self._ensure_streams)
        self._database_url = database_url

    async def __aenter__(self) -> Self:
        self._work = asyncio.create_task(self._run(), name="config-api publishing")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await end(self._work)
        await stop_broker(self._broker)

    def nats(self) -> Client | None:
        """Return the connection, or `None` while there is none."""
        return None if nats_lacking(self._broker) else client(self._broker)

    def lacking(self) -> str | None:
        if self._work.done():
            return "Publishing events has stopped; the service's log says why."
        return nats_lacking(self._broker)

    async def _run(self) -> None:
        try:
            await self._broker.connect()
            await self._ensure_streams()
            await Relay(self._database_url, self._broker, config_outbox, service=SERVICE).run()
        except Exception:
            _log.exception("publishing has stopped")
            raise

    async def _ensure_streams(self) -> None:
        while True:
            try:
                await ensure_streams(jetstream(self._broker), settle=False)
            except (NatsError, TimeoutError) as error:
                _log.warning("the streams are not there yet (%r); trying again", error)
                await asyncio.sleep(_RETRY_S)
            else:
                return
