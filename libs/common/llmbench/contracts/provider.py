"""The snapshot of a provider that a run stores: connection settings without secrets."""

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
    """The settings of a provider at the start of a run, without its headers.

    The gateway reads the headers for each call. So a corrected key takes effect in a paused run, and no secret crosses
    NATS.

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
