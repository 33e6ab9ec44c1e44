"""Ask the inference gateway which models a provider has (`req.provider.models`)."""

from faststream.nats import NatsBroker
from nats.errors import ConnectionClosedError, NoRespondersError
from nats.errors import TimeoutError as NatsTimeoutError

from llmbench.contracts.list_models import ListModels, ModelsListed
from llmbench.contracts.provider import ProviderSnapshot
from llmbench.errors import Problem
from llmbench.messaging.broker import client
from llmbench.messaging.publish import request

TIMEOUT_S = 10.0


class GatewayDirectory:
    """Implement the port `ModelDirectory` by requests over NATS."""

    def __init__(self, broker: NatsBroker) -> None:
        self._broker = broker

    async def list_models(self, provider: ProviderSnapshot) -> ModelsListed:
        question = ListModels(provider=provider, timeout_s=TIMEOUT_S)
        try:
            reply = await request(client(self._broker), question, service="orchestrator", timeout_s=TIMEOUT_S + 2)
        except (NoRespondersError, NatsTimeoutError, ConnectionClosedError) as error:
            raise Problem(
                503,
                "The inference gateway does not answer",
                "The providers cannot be checked because the inference gateway does not answer. Is it running? "
                "Try again in a moment.",
            ) from error
        return ModelsListed.model_validate_json(reply)
