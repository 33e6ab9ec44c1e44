"""Send commands to the inference gateway, and receive the outcomes of the judge's calls."""

import asyncio
import contextlib
import logging
from collections.abc import Iterator
from uuid import UUID

from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from pydantic import ValidationError

from judge.adapters.pulse import Pulse
from judge.ports import Command, NotSent
from llmbench.contracts.call_finished import CallFinished
from llmbench.contracts.read_call import CallRead, ReadCall
from llmbench.messaging.broker import Broker, client
from llmbench.messaging.publish import publish_durably, request

_log = logging.getLogger(__name__)

READ_TIMEOUT_S = 10.0
SUBJECT = CallFinished.SUBJECT.format(call_id="*")


class NatsCalls:
    """Implement the port `judge.ports.Calls`.

    One subscription receives every call's outcome, also the outcomes of calls by targets and other judges. An outcome
    that no caller in this process expects is dropped without decoding.
    """

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._waiting: dict[str, set[asyncio.Future[CallFinished]]] = {}
        self._revived = Pulse()
        self._subscribed = False

    async def start(self) -> None:
        """Subscribe to the outcomes of calls, unless already subscribed. Raises nats-py's errors; after an error, the
        caller may try again."""
        if not self._subscribed:
            await client(self._broker).subscribe(SUBJECT, cb=self._receive)
            self._subscribed = True

    @contextlib.contextmanager
    def expect(self, call_id: UUID) -> Iterator["asyncio.Future[CallFinished]"]:
        future: asyncio.Future[CallFinished] = asyncio.get_running_loop().create_future()
        waiting = self._waiting.setdefault(str(call_id), set())
        waiting.add(future)
        try:
            yield future
        finally:
            future.cancel()
            waiting.discard(future)
            if not waiting and self._waiting.get(str(call_id)) is waiting:
                del self._waiting[str(call_id)]

    async def send(self, command: Command) -> None:
        # Each message has a new id. With the same id, de-duplication would drop a repeated command, which is needed
        # after its first outcome was lost.
        try:
            await publish_durably(self._broker, command, service="judge")
        except (NatsError, TimeoutError, OSError) as error:
            raise NotSent(repr(error)) from error

    async def complete_text(self, call_id: UUID) -> str | None:
        try:
            raw = await request(
                client(self._broker), ReadCall(call_id=call_id), service="judge", timeout_s=READ_TIMEOUT_S
            )
            return CallRead.model_validate_json(raw).content
        except (NatsError, TimeoutError, OSError, ValidationError) as error:
            raise NotSent(repr(error)) from error

    def revived(self) -> "asyncio.Future[None]":
        return self._revived.next()

    def revive(self) -> None:
        """Wake all waiting callers after a reconnection, so that they send their commands again."""
        self._revived.beat()

    async def _receive(self, message: Msg) -> None:
        waiting = self._waiting.get(message.subject.rpartition(".")[2])
        if not waiting:
            return
        try:
            finished = CallFinished.model_validate_json(message.data)
        except ValidationError as error:
            _log.error("unreadable event on %s: %s", message.subject, error)
            return
        for future in waiting:
            if not future.done():
                future.set_result(finished)
