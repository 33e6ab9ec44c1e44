"""A provider as a run remembers it: how to reach it, and nothing secret."""

from enum import StrEnum
from typing import Any
from uuid import UUID

from pydantic import Field

from llmbench.contracts.base import Value


class ProviderType(StrEnum):
    """The dialects llmbench speaks; each has a profile in the inference gateway."""

    OPENAI = "OPENAI"
    OLLAMA = "OLLAMA"
    LM_STUDIO = "LM_STUDIO"
    OPENROUTER = "OPENROUTER"
    AZURE_OPENAI = "AZURE_OPENAI"
    CUSTOM_OPEN_AI_COMPATIBLE = "CUSTOM_OPEN_AI_COMPATIBLE"
    HTTP_JSON = "HTTP_JSON"


class ModelPrice(Value):
    """A price of the user's own, in US dollars per million tokens: it goes before any list price."""

    model: str = Field(min_length=1, max_length=255)
    input_usd_per_million: float = Field(ge=0, le=1_000_000)
    output_usd_per_million: float = Field(ge=0, le=1_000_000)


class ProviderSnapshot(Value):
    """Headers are not part of it: the gateway reads them when it dispatches, so that a corrected
    key heals a paused run and no secret ever crosses NATS.

    `options` are sent with every request, but for three of AZURE_OPENAI: `api_version` and `deployment`
    make the URL, and `deployments` are the names of its models, which a resource tells to no API key.
    Those of HTTP_JSON say how a service is asked and where its answer is (llmbench.contracts.http_json); further ones
    become fields of the body.
    """

    provider_id: UUID
    name: str
    type: ProviderType
    base_url: str
    models_endpoint: str
    inference_endpoint: str
    options: dict[str, Any] = Field(default_factory=dict)
    prices: tuple[ModelPrice, ...] = ()
