"""The messages of a durable consumer as they come: each in a task of its own, kept alive while it is worked on.

One standing request brings many, as JetStream's API has it (ADR-13). A request for each message, and a framework's way
of handing it on, cost more than what most handlers do. How many are in hand at once is the consumer's
`max_ack_pending`, which the server heeds.

    intake = Intake(broker, COMMANDS, "judge", take)
    await intake.start()
    await intake.close()    # asks for no more; what was on its way is taken, what is in hand goes on
"""

import asyncio
import contextlib
import json
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Final

from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import Error as NatsError

from llmbench.background import end
from llmbench.messaging.broker import Broker, client
from llmbench.messaging.observer import observed
from llmbench.messaging.streams import HEARTBEAT_S

_log = logging.getLogger(__name__)

MOST: Final = 256
"""So many are brought by one request."""
EXPIRES_S: Final = 5.0
DRAIN_S: Final = 2.0
_GRACE_S: Final = 1.0
_EARLY_S: Final = 0.05
_PAUSE_S: Final = 0.5
_REQUEST: Final = json.dumps({"batch": MOST, "expires": int(EXPIRES_S * 1e9)}).encode()

Take = Callable[[Msg], Awaitable[None]]
"""Works on one message and settles it: acks it, hands it back or drops it. One it leaves unsettled comes again after
its ack wait."""


class Intake:
    def __init__(self, broker: Broker, stream: str, durable: str, take: Take) -> None:
        self._broker = broker
        self._next = f"$JS.API.CONSUMER.MSG.NEXT.{stream}.{durable}"
        self._durable = durable
        self._take = take
        self._in_hand: dict[asyncio.Task[None], Msg] = {}
        self._awaited = 0
        self._ended = asyncio.Event()
        self._subscription: Subscription | None = None
        self._asking: asyncio.Task[None] | None = None
        self._beating: asyncio.Task[None] | None = None

    @property
    def in_hand(self) -> set[asyncio.Task[None]]:
        """The work on messages that are not settled yet."""
        return set(self._in_hand)

    async def start(self) -> None:
        """Of a connected broker. Raises nats-py's errors; may be called again then."""
        if self._subscription is None:
            connection = client(self._broker)
            inbox = connection.new_inbox()
            self._subscription = await connection.subscribe(inbox, cb=self._heard)
            # A broker that was restarted does not know what was asked.
            self._broker.reconnections.add(self._ended.set)
            self._asking = asyncio.create_task(self._ask_for_ever(inbox), name=f"intake {self._durable}")

    async def close(self) -> None:
        """Returns when no message comes any more."""
        self._broker.reconnections.discard(self._ended.set)
        if self._asking is not None:
            await end(self._asking)
        if self._subscription is not None:
            # Cut off from the broker there is nobody to be told, and nothing on its way.
            with contextlib.suppress(NatsError, TimeoutError, OSError):
                async with asyncio.timeout(DRAIN_S):
                    await self._subscription.drain()  # type: ignore[no-untyped-call]  # nats-py leaves it without

    async def _ask_for_ever(self, inbox: str) -> None:
        while True:
            began = time.monotonic()
            self._ended.clear()
            self._awaited = MOST
            with contextlib.suppress(NatsError, TimeoutError, OSError):
                await client(self._broker).publish(self._next, _REQUEST, reply=inbox)
                async with asyncio.timeout(EXPIRES_S + _GRACE_S):
                    await self._ended.wait()
            if self._awaited == MOST and time.monotonic() - began < _EARLY_S:
                # No consumer, or no stream: whoever watches over it makes it anew.
                await asyncio.sleep(_PAUSE_S)

    async def _heard(self, message: Msg) -> None:
        if not message.reply:
            # The server's word on the request itself: it has expired, or there is no consumer.
            self._ended.set()
            return
        self._awaited -= 1
        if self._awaited == 0:
            self._ended.set()
        work = asyncio.create_task(self._work(message))
        self._in_hand[work] = message
        work.add_done_callback(self._in_hand.pop)
        if self._beating is None:
            self._beating = asyncio.create_task(self._beat())

    async def _work(self, message: Msg) -> None:
        try:
            with observed(message):
                await self._take(message)
        except NatsError as error:
            _log.warning("a message of %s could not be settled: %r", self._durable, error)
        except Exception:  # noqa: BLE001  # the others must go on; the log has what happened
            _log.exception("a message of %s failed unexpectedly; it comes again", self._durable)

    async def _beat(self) -> None:
        """Tell JetStream every few seconds what is being worked on; ends when there is nothing."""
        try:
            while self._in_hand:
                await asyncio.sleep(HEARTBEAT_S)
                for message in list(self._in_hand.values()):
                    # One lost with the connection is made good by locks and ids that come again.
                    if not message.is_acked:
                        with contextlib.suppress(NatsError, OSError):
                            await message.in_progress()
        finally:
            self._beating = None
