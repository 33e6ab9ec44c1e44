"""Publish the events of finished calls durably, and the partial texts of arriving answers without acknowledgement."""

import asyncio
from contextlib import suppress

from nats.errors import Error as NatsError

from inference_gateway.ports import NotPublished
from llmbench.contracts.answer_streamed import AnswerStreamed
from llmbench.contracts.call_finished import CallFinished
from llmbench.errors import MessageTooLarge
from llmbench.messaging.broker import Broker, client
from llmbench.messaging.publish import NO_REPLY, publish_durably, publish_lossy


class DurableEvents:
    def __init__(self, broker: Broker, *, service: str) -> None:
        self._broker = broker
        self._service = service

    async def publish(self, event: CallFinished) -> None:
        """Publish the event and wait for the broker's acknowledgement.

        Raises `NotPublished` without an acknowledgement, and `MessageTooLarge` for an event that exceeds the broker's
        limit.

        Each publication has a new message id. Otherwise the broker would drop the event of a repeated command as a
        duplicate.
        """
        try:
            await publish_durably(self._broker, event, service=self._service)
        except (NatsError, TimeoutError, OSError) as error:
            raise NotPublished(repr(error)) from error


class LossyLiveAnswers:
    """Implement the port `LiveAnswers` on core NATS, without waiting for an acknowledgement."""

    def __init__(self, broker: Broker, *, service: str) -> None:
        self._broker = broker
        self._service = service
        self._tasks: set[asyncio.Task[None]] = set()

    def publish(self, message: AnswerStreamed) -> None:
        # Keep a reference: the event loop itself keeps none.
        task = asyncio.create_task(self._publish(message))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _publish(self, message: AnswerStreamed) -> None:
        with suppress(*NO_REPLY, MessageTooLarge):
            await publish_lossy(client(self._broker), message, service=self._service)
