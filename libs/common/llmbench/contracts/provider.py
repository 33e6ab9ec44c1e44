"""A provider as a run's snapshot holds it: connection settings without secrets."""

from typing import Any
from uuid import UUID

from pydantic import Field

from llmbench.contracts.base import Value


class ModelPrice(Value):
    """A price set by the user, in US dollars per million tokens. It overrides any list price."""

    model: str = Field(min_length=1, max_length=255)
    input_usd_per_million: float = Field(ge=0, le=1_000_000)
    output_usd_per_million: float = Field(ge=0, le=1_000_000)


class ProviderSnapshot(Value):
    """Headers are not part of the snapshot: the gateway reads them when it dispatches.

    So a corrected key heals a paused run, and no secret crosses NATS.

    `type` names a profile of the inference gateway. The profile decides how `options` are used: most are sent with
    every request.
    """

    provider_id: UUID
    name: str
    type: str
    base_url: str
    models_endpoint: str
    inference_endpoint: str
    options: dict[str, Any] = Field(default_factory=dict)
    prices: tuple[ModelPrice, ...] = ()
