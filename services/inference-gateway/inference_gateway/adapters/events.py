"""Publish the events of finished calls durably: wait for the broker to acknowledge each."""

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
        """Publish the event and wait for the broker's acknowledgement. Raises `NotPublished` or `MessageTooLarge`.

        Each publication has a new message id. Otherwise the broker would drop the event of a repeated command as a
        duplicate.
        """
        try:
            await publish_durably(self._broker, event, service=self._service)
        except (NatsError, TimeoutError, OSError) as error:
            raise NotPublished(repr(error)) from error
