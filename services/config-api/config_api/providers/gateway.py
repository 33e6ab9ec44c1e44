"""Asks the inference gateway, the only room that talks to a provider."""

from collections.abc import Callable

from nats.aio.client import Client
from nats.errors import Error as NatsError
from pydantic import ValidationError

from config_api.providers.store import Provider
from config_api.publishing import SERVICE
from llmbench.contracts.list_models import ListModels, ModelsListed
from llmbench.contracts.provider import ProviderSnapshot
from llmbench.errors import Problem
from llmbench.messaging.publish import request

PROVIDER_TIMEOUT_S = 10.0
_GATEWAY_TIMEOUT_S = PROVIDER_TIMEOUT_S + 5


class ProviderGateway:
    def __init__(self, nats: Callable[[], Client | None]) -> None:
        self._nats = nats

    async def models(self, provider: Provider) -> ModelsListed:
        """Raises a 503 problem when there is no answer from the inference gateway."""
        nats = self._nats()
        if nats is None:
            raise _unanswered("NATS does not answer")
        snapshot = ProviderSnapshot(
            provider_id=provider.id,
            name=provider.endpoint.name,
            type=provider.endpoint.type,
            base_url=provider.endpoint.base_url,
            models_endpoint=provider.endpoint.models_endpoint,
            inference_endpoint=provider.endpoint.inference_endpoint,
            options=provider.endpoint.options,
        )
        question = ListModels(provider=snapshot, timeout_s=PROVIDER_TIMEOUT_S)
        try:
            reply = await request(nats, question, service=SERVICE, timeout_s=_GATEWAY_TIMEOUT_S)
            return ModelsListed.model_validate_json(reply)
        except (NatsError, TimeoutError) as error:
            raise _unanswered("the inference gateway does not answer") from error
        except ValidationError as error:
            raise _unanswered("the inference gateway speaks another version of llmbench") from error


def _unanswered(reason: str) -> Problem:
    return Problem(503, "Gateway unavailable", f"The provider could not be asked: {reason}.")
