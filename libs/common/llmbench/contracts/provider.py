"""A provider as a run's snapshot holds it: connection settings without secrets."""

from enum import StrEnum
from typing import Any
from uuid import UUID

from pydantic import Field

from llmbench.contracts.base import Value


class ProviderType(StrEnum):
    """The provider APIs that llmbench supports; each has a profile in the inference gateway."""

    OPENAI = "OPENAI"
    OLLAMA = "OLLAMA"
    LM_STUDIO = "LM_STUDIO"
    OPENROUTER = "OPENROUTER"
    AZURE_OPENAI = "AZURE_OPENAI"
    CUSTOM_OPEN_AI_COMPATIBLE = "CUSTOM_OPEN_AI_COMPATIBLE"
    HTTP_JSON = "HTTP_JSON"


class ModelPrice(Value):
    """A price set by the user, in US dollars per million tokens. It overrides any list price."""

    model: str = Field(min_length=1, max_length=255)
    input_usd_per_million: float = Field(ge=0, le=1_000_000)
    output_usd_per_million: float = Field(ge=0, le=1_000_000)


class ProviderSnapshot(Value):
    """Headers are not part of the snapshot: the gateway reads them when it dispatches.

    So a corrected key heals a paused run, and no secret crosses NATS.

    `options` are sent with every request, with two exceptions. AZURE_OPENAI: `api_version` and `deployment` make the
    URL, and `deployments` list its models, which a resource does not reveal to an API key. HTTP_JSON: the fields of
    `llmbench.contracts.http_json` describe the request; further ones become fields of the body.
    """

    provider_id: UUID
    name: str
    type: ProviderType
    base_url: str
    models_endpoint: str
    inference_endpoint: str
    options: dict[str, Any] = Field(default_factory=dict)
    prices: tuple[ModelPrice, ...] = ()
