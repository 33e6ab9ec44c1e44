"""Maintain the streams, the consumer and the watch on run gates that the judge needs on NATS.

A broker may lose its store. So missing streams and consumers are created again, every few seconds and after each
reconnection.
"""

import asyncio
import contextlib
import logging

from nats.errors import Error as NatsError
from nats.js.errors import NotFoundError

from judge.adapters.nats_calls import NatsCalls
from judge.adapters.nats_gates import NatsGates
from llmbench.messaging.broker import Broker, client, jetstream
from llmbench.messaging.streams import COMMANDS, EVENTS, REPORTS, ensure_consumer, ensure_streams

_log = logging.getLogger(__name__)

DURABLE = "judge"
FILTER = "cmd.judge.*"
LOOK_EVERY_S = 2.0
RETRY_S = 0.5


class Upkeep:
    def __init__(self, broker: Broker, calls: NatsCalls, gates: NatsGates, *, max_pending: int) -> None:
        self._broker = broker
        self._calls = calls
        self._gates = gates
        self._max_pending = max_pending
        self._reconnected = asyncio.Event()
        self._lacking: str | None = "not connected to NATS yet"

    def lacks(self) -> str | None:
        """Return a message about the streams, consumer or watch that are missing on NATS; `None` if nothing is
        missing."""
        return self._lacking

    async def establish(self) -> None:
        """Create missing streams and the consumer, and watch the run gates again. Raises nats-py's errors if NATS does
        not answer."""
        js = jetstream(self._broker)
        for stream in (COMMANDS, EVENTS, REPORTS):
            try:
                await js.stream_info(stream)
            except NotFoundError:
                # Create the streams only if one is missing: otherwise limits that an operator has set would be reset.
                await ensure_streams(js, settle=False)
        await ensure_consumer(js, COMMANDS, DURABLE, FILTER, max_ack_pending=self._max_pending)
        await self._gates.watch()
        self._lacking = None

    async def reconnected(self) -> None:
        self._reconnected.set()

    async def run(self) -> None:
        """Call `establish` after each reconnection, and when the consumer or the watch on gates does not work. Both are
        checked every `LOOK_EVERY_S` seconds.

        Afterwards, wake the waiting callers, so that they send their commands again. Runs until it is cancelled.
        """
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._reconnected.wait(), LOOK_EVERY_S)
            try:
                if self._reconnected.is_set() or not await self._is_complete():
                    self._reconnected.clear()
                    await self.establish()
                    self._calls.revive()
                    _log.info("streams, consumer and gates are in place again")
            except (NatsError, TimeoutError, OSError) as error:
                self._note(error)
                if client(self._broker).is_connected:
                    # Try again later; while disconnected, the reconnection will trigger it.
                    self._reconnected.set()
                await asyncio.sleep(RETRY_S)

    def _note(self, error: Exception) -> None:
        self._lacking = f"NATS does not answer: {error!r}"
        _log.warning("upkeep on NATS failed (%r); trying again", error)

    async def _is_complete(self) -> bool:
        """Return whether consumer and watch work. Return `True` while NATS is disconnected, because nothing can be
        created then."""
        if not client(self._broker).is_connected:
            self._lacking = "not connected to NATS"
            return True
        try:
            await jetstream(self._broker).consumer_info(COMMANDS, DURABLE)
            return self._lacking is None and await self._gates.is_current()
        except NotFoundError:
            return False
