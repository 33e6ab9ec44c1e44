"""Ask the inference gateway, the only service that calls providers."""

from base64 import b64encode
from collections.abc import Callable, Sequence
from uuid import UUID

from nats.aio.client import Client
from nats.errors import Error as NatsError
from pydantic import ValidationError

from config_api.providers.store import Connection, Header
from config_api.publishing import SERVICE
from llmbench.contracts.list_models import ListModels, ModelsListed, SentHeader
from llmbench.contracts.provider import ProviderSnapshot
from llmbench.errors import Problem
from llmbench.messaging.publish import request

PROVIDER_TIMEOUT_S = 10.0
_GATEWAY_TIMEOUT_S = PROVIDER_TIMEOUT_S + 5


class ProviderGateway:
    def __init__(self, nats: Callable[[], Client | None]) -> None:
        self._nats = nats

    async def models(
        self,
        provider_id: UUID,
        name: str,
        connection: Connection,
        *,
        headers: Sequence[Header] | None = None,
        probe: bool = False,
    ) -> ModelsListed:
        """Return the provider's models. Raises a 503 problem when the inference gateway does not answer.

        `headers` are sent, with encrypted secrets; without them the gateway reads the stored ones. With `probe`, a
        provider without a list of models is asked a question.
        """
        nats = self._nats()
        if nats is None:
            raise _unanswered("NATS does not answer")
        snapshot = ProviderSnapshot(
            provider_id=provider_id,
            name=name,
            type=connection.type,
            base_url=connection.base_url,
            models_endpoint=connection.models_endpoint,
            inference_endpoint=connection.inference_endpoint,
            options=connection.options,
        )
        sent = None if headers is None else tuple(_sent(header) for header in headers)
        question = ListModels(provider=snapshot, timeout_s=PROVIDER_TIMEOUT_S, headers=sent, probe=probe)
        try:
            reply = await request(nats, question, service=SERVICE, timeout_s=_GATEWAY_TIMEOUT_S)
            return ModelsListed.model_validate_json(reply)
        except (NatsError, TimeoutError) as error:
            raise _unanswered("the inference gateway does not answer") from error
        except ValidationError as error:
            raise _unanswered("the inference gateway runs another version of llmbench") from error


def _sent(header: Header) -> SentHeader:
    sealed = None if header.sealed_value is None else b64encode(header.sealed_value).decode()
    return SentHeader(key=header.header_key, value=header.plain_value, sealed=sealed)


def _unanswered(reason: str) -> Problem:
    return Problem(503, "Gateway unavailable", f"The provider could not be asked: {reason}.")
