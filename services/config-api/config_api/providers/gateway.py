"""Send requests to the inference gateway, the only service that calls providers and knows their types."""

from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar
from uuid import UUID

from nats.aio.client import Client
from pydantic import BaseModel, ValidationError

from config_api.providers.store import Connection, Header
from config_api.publishing import SERVICE
from llmbench.contracts.base import Message
from llmbench.contracts.describe_provider_type import DescribeProviderType, ProviderTypeDescribed
from llmbench.contracts.list_models import ListModels, ModelsListed, SentHeader
from llmbench.contracts.list_provider_types import ListProviderTypes, ProviderTypesListed
from llmbench.contracts.provider import ProviderSnapshot
from llmbench.errors import Problem
from llmbench.messaging.publish import NO_REPLY, request

PROVIDER_TIMEOUT_S = 10.0
_GATEWAY_TIMEOUT_S = PROVIDER_TIMEOUT_S + 5
_TYPES_TIMEOUT_S = 5.0
_TYPES_UNREAD = "The provider types could not be read"

Reply = TypeVar("Reply", bound=BaseModel)


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

        A failure of the provider is not raised: it is in the result's `problem`. The gateway sends `headers` to the
        provider or, with `None`, the stored headers. If the provider cannot list its models, it is
        asked a question instead, but only with `probe`.
        """
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
        return await self._ask(question, ModelsListed, "The provider could not be asked", _GATEWAY_TIMEOUT_S)

    async def types(self) -> ProviderTypesListed:
        """Return the provider types. Raises a 503 problem when the inference gateway does not answer."""
        return await self._ask(ListProviderTypes(), ProviderTypesListed, _TYPES_UNREAD, _TYPES_TIMEOUT_S)

    async def describe(self, type_: str, options: Mapping[str, Any]) -> ProviderTypeDescribed:
        """Return the description of a provider type, and the errors in the options.

        The result's `info` is `None` for an unknown type. Raises a 503 problem when the inference gateway does not
        answer.
        """
        question = DescribeProviderType(provider_type=type_, options=dict(options))
        return await self._ask(question, ProviderTypeDescribed, _TYPES_UNREAD, _TYPES_TIMEOUT_S)

    async def _ask(self, question: Message, reply: type[Reply], failed: str, timeout_s: float) -> Reply:
        nats = self._nats()
        if nats is None:
            raise _unanswered(failed, "NATS does not answer")
        try:
            return reply.model_validate_json(await request(nats, question, service=SERVICE, timeout_s=timeout_s))
        except NO_REPLY as error:
            raise _unanswered(failed, "the inference gateway does not answer") from error
        except ValidationError as error:
            raise _unanswered(failed, "the inference gateway runs another version of llmbench") from error


def _sent(header: Header) -> SentHeader:
    sealed = None if header.sealed_value is None else b64encode(header.sealed_value).decode()
    return SentHeader(key=header.header_key, value=header.plain_value, sealed=sealed)


def _unanswered(failed: str, reason: str) -> Problem:
    return Problem(503, "Gateway unavailable", f"{failed}: {reason}.")
