"""Keep one lane per model group. A lane takes the group's commands from NATS, as long as the group has a consumer
there.

The orchestrator creates and deletes the consumers. This module lists them every few seconds, and when a message
announces that a group opened. A message in progress is finished and settled even if its lane is closed or replaced
meanwhile.
"""

import asyncio
import contextlib
import logging

from nats.errors import Error as NatsError
from nats.js.api import ConsumerInfo
from nats.js.errors import NotFoundError

from inference_gateway.entrypoints.lane_message import LaneMessages
from llmbench.messaging.broker import Broker, jetstream
from llmbench.messaging.intake import Intake
from llmbench.messaging.streams import COMMANDS, LANE_PREFIX
from llmbench.observability.metrics import LANES

_log = logging.getLogger(__name__)

RECONCILE_S = 3.0
_PAGE = 256


class Lanes:
    def __init__(self, broker: Broker, messages: LaneMessages) -> None:
        self._broker = broker
        self._messages = messages
        self._lanes: dict[str, Intake] = {}
        self._poked = asyncio.Event()
        LANES.set_function(lambda: len(self._lanes))

    def poke(self) -> None:
        """Make `run` list the consumers now instead of when its interval ends."""
        self._poked.set()

    async def run(self) -> None:
        """Open and close lanes as consumers appear and disappear, for ever."""
        while True:
            self._poked.clear()
            try:
                await self.reconcile()
            except (NatsError, TimeoutError, OSError) as error:
                _log.warning("the lanes cannot be listed (%r); trying again", error)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(RECONCILE_S):
                    await self._poked.wait()

    async def reconcile(self) -> None:
        consumers = await self._wanted()
        for durable in self._lanes.keys() - consumers:
            _log.info("lane %s closed", durable.removeprefix(LANE_PREFIX))
            await self._lanes.pop(durable).close()
        for durable in consumers - self._lanes.keys():
            lane = Intake(self._broker, COMMANDS, durable, self._messages.take)
            await lane.start()
            self._lanes[durable] = lane
            _log.info("lane %s open", durable.removeprefix(LANE_PREFIX))

    async def close(self) -> None:
        """Close all lanes. Messages that are returned to the broker afterwards go to another replica.

        The caller stops the calls in flight (`LaneMessages.finish`).
        """
        await asyncio.gather(*(lane.close() for lane in self._lanes.values()))

    async def _wanted(self) -> set[str]:
        """Return the durable names of the NATS consumers of all model groups."""
        consumers: list[ConsumerInfo] = []
        js = jetstream(self._broker)
        while True:
            try:
                page = await js.consumers_info(COMMANDS, offset=len(consumers))
            except NotFoundError:
                # The stream does not exist yet, or the broker lost its store. It has no lanes until it is created.
                return set()
            consumers += page
            if len(page) < _PAGE:
                break
        return {info.name for info in consumers if info.name.startswith(LANE_PREFIX)}
