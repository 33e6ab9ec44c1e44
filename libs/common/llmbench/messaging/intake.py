"""Pull the messages of a durable consumer, and process each in its own task, with heartbeats to JetStream.

One pull request stays open and brings many messages (JetStream ADR-13), which costs less than a request per message.
The consumer's `max_ack_pending`, which the server enforces, limits how many messages are processed at once.

    intake = Intake(broker, COMMANDS, "judge", take)
    await intake.start()
    await intake.close()    # pulls no more; messages that already arrived are processed to their end
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
"""The maximum number of messages that one pull request brings."""
EXPIRES_S: Final = 5.0
DRAIN_S: Final = 2.0
_GRACE_S: Final = 1.0
_EARLY_S: Final = 0.05
_PAUSE_S: Final = 0.5
_REQUEST: Final = json.dumps({"batch": MOST, "expires": int(EXPIRES_S * 1e9)}).encode()

Take = Callable[[Msg], Awaitable[None]]
"""Processes one message and settles it: ack, nak or term. JetStream redelivers an unsettled message after the ack wait.
"""


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
        """Return the tasks that are processing messages."""
        return set(self._in_hand)

    async def start(self) -> None:
        """Start pulling messages; do nothing if that was done before. Raises nats-py's errors, such as for a broker
        that is not connected. The caller may then try again."""
        if self._subscription is None:
            connection = client(self._broker)
            inbox = connection.new_inbox()
            self._subscription = await connection.subscribe(inbox, cb=self._heard)
            # A restarted broker has forgotten our pending pull request, so a reconnection ends the wait and pulls
            # again.
            self._broker.reconnections.add(self._ended.set)
            self._asking = asyncio.create_task(self._ask_for_ever(inbox), name=f"intake {self._durable}")

    async def close(self) -> None:
        """Stop pulling, and wait up to 2 s until no further message can arrive. Tasks in `in_hand` continue."""
        self._broker.reconnections.discard(self._ended.set)
        if self._asking is not None:
            await end(self._asking)
        if self._subscription is not None:
            # Without a connection the server cannot be asked to stop, and no message can arrive.
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
                # The consumer or the stream is missing. Another task will create it again.
                await asyncio.sleep(_PAUSE_S)

    async def _heard(self, message: Msg) -> None:
        if not message.reply:
            # The server reports the status of the request itself: it expired, or the consumer is gone.
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
        """Send `in_progress` every few seconds for the messages being processed; end when there are none."""
        try:
            while self._in_hand:
                await asyncio.sleep(HEARTBEAT_S)
                for message in list(self._in_hand.values()):
                    # A lost heartbeat does no harm: the message is redelivered, which locks and deterministic ids make
                    # harmless.
                    if not message.is_acked:
                        with contextlib.suppress(NatsError, OSError):
                            await message.in_progress()
        finally:
            self._beating = None
