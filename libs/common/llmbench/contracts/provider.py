"""The connection settings of a provider, without headers and secrets, as runs store them and messages carry them."""

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
    """A copy of a provider's settings, without its headers. A run keeps the copy that was made when the run was
    created.

    The gateway reads the headers for each call. So a corrected key takes effect in an existing run, and no secret
    crosses NATS.

    `type` names a provider type (a profile of the inference gateway), which decides how `options` are used. Most
    options are sent with every request.
    """

    provider_id: UUID
    name: str
    type: str
    base_url: str
    models_endpoint: str
    inference_endpoint: str
    options: dict[str, Any] = Field(default_factory=dict)
    prices: tuple[ModelPrice, ...] = ()
