"""Recreate NATS streams that a full disk broke.

After a NATS server has failed to write to a stream, it refuses every message for this stream until the server is
restarted, even when there is space again. So the stream is deleted, created again, and filled from PostgreSQL.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from nats.errors import Error as NatsError

from llmbench.messaging.broker import Broker, jetstream
from llmbench.messaging.streams import drop_stream, stuck_streams
from llmbench.room import Room

EVERY_S = 5.0
_log = logging.getLogger(__name__)


class StreamCare:
    def __init__(self, broker: Broker, room: Room, *, restore: Callable[[], Awaitable[None]]) -> None:
        """Create the checker. It records in `room` whether NATS has disk space. `restore` recreates missing streams,
        consumers and run gates on NATS, and sends lost commands again."""
        self._broker = broker
        self._room = room
        self._restore = restore

    async def run(self) -> None:
        """Check the streams every `EVERY_S` seconds, until cancelled. Errors of NATS and of connections are logged."""
        while True:
            try:
                await self.look()
            except (NatsError, TimeoutError, OSError) as error:
                _log.warning("the streams could not be checked (%r); trying again", error)
            await asyncio.sleep(EVERY_S)

    async def look(self) -> None:
        """Delete broken streams, and call `restore` to fill them again from PostgreSQL. Raises nats-py's errors and
        those of `restore`; the next check then restores whatever is still missing."""
        js = jetstream(self._broker)
        stuck = await stuck_streams(js)
        if not stuck:
            self._room.found()
            return
        self._room.lacked()
        for name, reason in stuck.items():
            _log.error(
                "the stream %s accepts no message (%s); it is recreated and filled from PostgreSQL", name, reason
            )
            await drop_stream(js, name)
        await self._restore()
