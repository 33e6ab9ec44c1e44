"""Ask the inference gateway which models a provider has (`req.provider.models`)."""

from faststream.nats import NatsBroker
from pydantic import ValidationError

from llmbench.contracts.list_models import ListModels, ModelsListed
from llmbench.contracts.provider import ProviderSnapshot
from llmbench.errors import Problem
from llmbench.messaging.broker import client
from llmbench.messaging.publish import NO_REPLY, request

TIMEOUT_S = 10.0


class GatewayDirectory:
    """List the models of a provider: the port `ModelDirectory` by requests to the gateway over NATS."""

    def __init__(self, broker: NatsBroker) -> None:
        self._broker = broker

    async def list_models(self, provider: ProviderSnapshot) -> ModelsListed:
        question = ListModels(provider=provider, timeout_s=TIMEOUT_S)
        try:
            reply = await request(client(self._broker), question, service="orchestrator", timeout_s=TIMEOUT_S + 2)
            return ModelsListed.model_validate_json(reply)
        except NO_REPLY as error:
            raise _unanswered("does not answer. Is it running? Try again in a moment") from error
        except ValidationError as error:
            raise _unanswered("runs another version of llmbench") from error


def _unanswered(reason: str) -> Problem:
    detail = f"The providers cannot be checked because the inference gateway {reason}."
    return Problem(503, "The inference gateway does not answer", detail)
