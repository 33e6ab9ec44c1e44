"""One message of a lane: parsed, kept alive while it is worked on, and settled."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable

from faststream.nats.annotations import NatsMessage
from nats.errors import Error as NatsError
from pydantic import ValidationError

from inference_gateway.domain.call import Command
from inference_gateway.handlers.in_flight import AbortReason, InFlight
from inference_gateway.handlers.lane_command import Verdict
from llmbench.contracts.embed_texts import EmbedTexts
from llmbench.contracts.generate_completion import GenerateCompletion
from llmbench.contracts.registry import UnknownMessage, parse
from llmbench.contracts.release_model import ReleaseModel
from llmbench.logs import bind_ids
from llmbench.messaging.streams import HEARTBEAT_S

_log = logging.getLogger(__name__)

RETRY_S = 1.0
"""A delayed message keeps its place in the lane: long delays would freeze it."""
UNEXPECTED_RETRY_S = 5.0
ABORT_S = 2.0


class LaneMessages:
    def __init__(self, handle: Callable[[Command], Awaitable[Verdict]], in_flight: InFlight) -> None:
        self._handle = handle
        self._in_flight = in_flight
        self._work: set[asyncio.Task[None]] = set()

    @property
    def stopping(self) -> bool:
        return self._in_flight.stopping

    async def receive(self, message: NatsMessage) -> None:
        """In a task of its own: a lane that is closed cancels what it awaits, and a paid answer
        must not be lost to that."""
        task = asyncio.ensure_future(self._settle(message))
        self._work.add(task)
        task.add_done_callback(self._work.discard)
        await asyncio.shield(task)

    async def finish(self, grace_s: float) -> None:
        """Let the work in hand end by itself for `grace_s`, then stop it and give it back."""
        self._in_flight.stopping = True
        if self._work:
            await asyncio.wait(self._work, timeout=grace_s)
        self._in_flight.abort_all(AbortReason.STOPPING)
        if self._work:
            await asyncio.wait(self._work, timeout=ABORT_S)

    async def _settle(self, message: NatsMessage) -> None:
        try:
            command = _command(message)
            if command is None:
                await message.reject()
                return
            bind_ids(command)
            async with _kept_alive(message):
                verdict = await self._handle(command)
            match verdict:
                case Verdict.DONE:
                    await message.ack()
                case Verdict.RETRY:
                    await message.nack(delay=RETRY_S)
                case Verdict.HAND_OVER:
                    await message.nack()
        except NatsError as error:
            # Unsettled: it comes again after its ack wait, and is then answered from memory.
            _log.warning("a command could not be settled: %r", error)
        except Exception:  # noqa: BLE001  # the lane must go on; the log has what happened
            _log.exception("a command failed unexpectedly; it is tried again")
            with contextlib.suppress(NatsError):
                await message.nack(delay=UNEXPECTED_RETRY_S)


def _command(message: NatsMessage) -> Command | None:
    subject = message.raw_message.subject
    try:
        command = parse(message.body)
    except (UnknownMessage, ValidationError) as error:
        faults = error.error_count() if isinstance(error, ValidationError) else error
        _log.error("an unreadable command on %s is discarded: %s", subject, faults)
        return None
    if not isinstance(command, GenerateCompletion | EmbedTexts | ReleaseModel):
        _log.error("a %s on %s is no command for a lane; it is discarded", command.type, subject)
        return None
    return command


@contextlib.asynccontextmanager
async def _kept_alive(message: NatsMessage) -> AsyncIterator[None]:
    """Tell JetStream every few seconds that the message is being worked on."""

    async def beat() -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_S)
            # A beat lost with the connection is made good by the slot's lock.
            with contextlib.suppress(NatsError):
                await message.in_progress()

    beating = asyncio.ensure_future(beat())
    try:
        yield
    finally:
        beating.cancel()
