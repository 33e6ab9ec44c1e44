"""Process the messages of a lane, the queue of one model group's commands. Each is parsed, handled, and acknowledged or
returned."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from nats.aio.msg import Msg
from pydantic import ValidationError

from inference_gateway.domain.call import Command
from inference_gateway.handlers.in_flight import AbortReason, InFlight
from inference_gateway.handlers.lane_command import Settlement
from llmbench.contracts.embed_texts import EmbedTexts
from llmbench.contracts.generate_completion import GenerateCompletion
from llmbench.contracts.registry import UnknownMessage, parse
from llmbench.contracts.release_model import ReleaseModel
from llmbench.observability.logs import bind_ids

_log = logging.getLogger(__name__)

RETRY_S = 1.0
"""Seconds before redelivery. A delayed message still counts as in progress, so a long delay would block the lane."""
UNEXPECTED_RETRY_S = 5.0
ABORT_S = 2.0


class LaneMessages:
    def __init__(self, handle: Callable[[Command], Awaitable[Settlement]], in_flight: InFlight) -> None:
        self._handle = handle
        self._in_flight = in_flight
        self._work: set[asyncio.Task[Any]] = set()

    @property
    def stopping(self) -> bool:
        return self._in_flight.stopping

    async def take(self, message: Msg) -> None:
        """Process one message. The lane calls this in an asyncio task of its own for each message."""
        task = asyncio.current_task()
        assert task is not None, "a coroutine runs in a task"
        self._work.add(task)
        try:
            await self._settle(message)
        finally:
            self._work.discard(task)

    async def finish(self, grace_s: float) -> None:
        """Let no further call begin, and wait up to `grace_s` seconds for the messages in progress.

        Then stop the remaining calls. Their messages are returned to the broker.
        """
        self._in_flight.stopping = True
        if self._work:
            await asyncio.wait(self._work, timeout=grace_s)
        if self._in_flight:
            _log.warning("calls that did not end in %g s are given up: %d", grace_s, len(self._in_flight))
        self._in_flight.abort_all(AbortReason.STOPPING)
        if self._work:
            await asyncio.wait(self._work, timeout=ABORT_S)

    async def _settle(self, message: Msg) -> None:
        command = _command(message)
        if command is None:
            await message.term()
            return
        bind_ids(command)
        try:
            settlement = await self._handle(command)
        except Exception:  # noqa: BLE001  # logged; the lane must go on
            _log.exception("a command failed unexpectedly; it is tried again")
            await message.nak(delay=UNEXPECTED_RETRY_S)
            return
        # A message that cannot be settled is redelivered after its ack wait, and then answered from the stored call.
        match settlement:
            case Settlement.DONE:
                await message.ack()
            case Settlement.RETRY:
                await message.nak(delay=RETRY_S)
            case Settlement.HAND_OVER:
                await message.nak()


def _command(message: Msg) -> Command | None:
    subject = message.subject
    try:
        command = parse(message.data)
    except (UnknownMessage, ValidationError) as error:
        faults = error.error_count() if isinstance(error, ValidationError) else error
        _log.error("an unreadable command on %s is discarded: %s", subject, faults)
        return None
    if not isinstance(command, GenerateCompletion | EmbedTexts | ReleaseModel):
        _log.error("a %s on %s is no command for a lane; it is discarded", command.type, subject)
        return None
    return command
