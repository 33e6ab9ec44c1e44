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


class ProviderSnapshot(Value):
    """Headers are not part of it: the gateway reads them when it dispatches, so that a corrected
    key heals a paused run and no secret ever crosses NATS."""

    provider_id: UUID
    name: str
    type: ProviderType
    base_url: str
    models_endpoint: str
    inference_endpoint: str
    options: dict[str, Any] = Field(default_factory=dict)
