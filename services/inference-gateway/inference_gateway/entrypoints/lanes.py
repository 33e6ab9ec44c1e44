"""The lanes: one subscriber per model group, for as long as the group has a consumer.

The orchestrator makes and deletes the consumers; this finds out by listing them, when told that a
group opened and every few seconds. A call outlives its lane: a message that is being worked on is
finished and settled even when the lane is closed or replaced meanwhile.
"""

import asyncio
import contextlib
import logging
from dataclasses import dataclass
from typing import Any

from faststream import AckPolicy
from faststream.nats import JStream, NatsBroker, PullSub
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.js.api import AckPolicy as JetStreamAckPolicy
from nats.js.api import ConsumerConfig, ConsumerInfo
from nats.js.errors import NotFoundError

from inference_gateway.entrypoints.lane_message import LaneMessages
from llmbench.messaging.broker import jetstream
from llmbench.messaging.paced_pull import PacedPull
from llmbench.messaging.streams import ACK_WAIT_S, COMMANDS, LANE_PREFIX
from llmbench.metrics import LANES

_log = logging.getLogger(__name__)

RECONCILE_S = 3.0
FETCH_S = 5.0
_PAGE = 256


class _LanePull(PacedPull):
    """A pull that can be retired: a fetch under way may still bring a message, none follows it.

    Cancelled at once, the message it was about to bring would come back only after its ack wait.
    """

    def __init__(self, inner: Any) -> None:
        super().__init__(inner)
        self._retiring = False
        self._retired = asyncio.Event()

    async def fetch(self, batch: int = 1, timeout: float | None = FETCH_S) -> list[Msg]:
        if self._retiring:
            self._retired.set()
            # Until the subscriber's `stop` cancels it.
            await asyncio.Event().wait()
        return await super().fetch(batch=batch, timeout=timeout)

    async def retire(self) -> None:
        self._retiring = True
        # A loop that works on a message fetches no more either: no need to wait for its end.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(FETCH_S + 1):
                await self._retired.wait()


@dataclass(frozen=True, eq=False)
class _Lane:
    subscriber: Any
    pull: _LanePull
    concurrency: int


class Lanes:
    def __init__(self, broker: NatsBroker, messages: LaneMessages) -> None:
        self._broker = broker
        self._messages = messages
        self._lanes: dict[str, _Lane] = {}
        self._closing: dict[asyncio.Task[None], _Lane] = {}
        self._poked = asyncio.Event()
        LANES.set_function(lambda: len(self._lanes))

    def poke(self) -> None:
        """Something may have changed: look now."""
        self._poked.set()

    async def run(self) -> None:
        """Never returns."""
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
        wanted = await self._wanted()
        for durable, lane in list(self._lanes.items()):
            if wanted.get(durable) != lane.concurrency:
                del self._lanes[durable]
                self._close(durable, lane)
        for durable, concurrency in wanted.items():
            if durable not in self._lanes:
                self._lanes[durable] = await self._open(durable, concurrency)

    async def fetch_no_more(self) -> None:
        """What is handed back from now on goes to a replica, not to a fetch of ours."""
        for lane in (*self._lanes.values(), *self._closing.values()):
            with contextlib.suppress(NatsError):
                await lane.pull.unsubscribe()

    async def stop(self) -> None:
        """Close every lane. Calls in flight are the caller's to end (`LaneMessages.finish`)."""
        lanes = [*self._lanes.values(), *self._closing.values()]
        for task in list(self._closing):
            task.cancel()
        await asyncio.gather(*(_stop(lane) for lane in lanes))

    async def _wanted(self) -> dict[str, int]:
        """Durable name → concurrency, of every consumer that is a lane's."""
        found: list[ConsumerInfo] = []
        js = jetstream(self._broker)
        while True:
            try:
                page = await js.consumers_info(COMMANDS, offset=len(found))
            except NotFoundError:
                # No stream yet, or a broker that lost its store: no lanes until it is made anew.
                return {}
            found += page
            if len(page) < _PAGE:
                break
        return {info.name: info.config.max_ack_pending or 1 for info in found if info.name.startswith(LANE_PREFIX)}

    async def _open(self, durable: str, concurrency: int) -> _Lane:
        group = durable.removeprefix(LANE_PREFIX)
        options: dict[str, Any] = {"max_workers": concurrency} if concurrency > 1 else {}
        subscriber: Any = self._broker.subscriber(
            f"cmd.infer.{group}.*",
            stream=JStream(COMMANDS, declare=False),
            durable=durable,
            pull_sub=PullSub(1, timeout=FETCH_S),
            # nats-py makes a consumer that vanished just now: then at least with its settings.
            config=ConsumerConfig(
                ack_policy=JetStreamAckPolicy.EXPLICIT,
                ack_wait=ACK_WAIT_S,
                max_ack_pending=concurrency,
                max_deliver=-1,
                filter_subjects=[],
            ),
            ack_policy=AckPolicy.MANUAL,
            persistent=False,
            include_in_schema=False,
            **options,
        )
        subscriber(self._messages.receive)
        await subscriber.start()
        subscriber.subscription = pull = _LanePull(subscriber.subscription)
        _log.info("lane %s open, %d at a time", group, concurrency)
        return _Lane(subscriber, pull, concurrency)

    def _close(self, durable: str, lane: _Lane) -> None:
        """In the background: what is fetched and worked on takes its time."""
        _log.info("lane %s closed", durable.removeprefix(LANE_PREFIX))

        async def close() -> None:
            await lane.pull.retire()
            await _stop(lane)

        task = asyncio.ensure_future(close())
        self._closing[task] = lane
        task.add_done_callback(lambda _: self._closing.pop(task, None))


async def _stop(lane: _Lane) -> None:
    try:
        await lane.subscriber.stop()
    except NatsError as error:
        # The connection is gone, and the subscription with it.
        _log.debug("a lane closed roughly: %r", error)
