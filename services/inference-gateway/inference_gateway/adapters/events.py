"""Publishes finished calls durably: the broker's acknowledgement is awaited."""

from nats.errors import Error as NatsError

from inference_gateway.ports import NotPublished
from llmbench.contracts.call_finished import CallFinished
from llmbench.messaging.broker import Broker
from llmbench.messaging.publish import publish_durably


class DurableEvents:
    def __init__(self, broker: Broker, *, service: str) -> None:
        self._broker = broker
        self._service = service

    async def publish(self, event: CallFinished) -> None:
        """Publish with a fresh message id each time: a repeated command must get its event again."""
        try:
            await publish_durably(self._broker, event, service=self._service)
        except (NatsError, TimeoutError, OSError) as error:
            raise NotPublished(repr(error)) from error
