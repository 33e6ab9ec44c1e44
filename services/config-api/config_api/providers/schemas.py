"""What `/api/providers` takes and gives. A secret header's value goes in and never comes out."""

import json
from typing import Annotated, Any
from uuid import UUID

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationInfo, field_validator

from config_api.bodies import Input, Name, Resource
from config_api.providers.headers import MAX_HEADERS, HeaderKey, HeaderValue, check_value
from config_api.providers.urls import BaseUrl, Endpoint
from llmbench.contracts.provider import ModelPrice, ProviderType
from llmbench.web import ProblemBody

MAX_OPTIONS_BYTES = 64 * 1024
MAX_OPTIONS_DEPTH = 32
MAX_PRICES = 500


def _depth_exceeds(value: object, levels: int) -> bool:
    """Never goes deeper than `levels`, so that no input can exhaust the stack."""
    if isinstance(value, dict):
        parts = list(value.values())
    elif isinstance(value, list):
        parts = value
    else:
        return False
    return levels == 0 or any(_depth_exceeds(part, levels - 1) for part in parts)


def _storable(options: dict[str, Any]) -> dict[str, Any]:
    """Raises `ValueError` for what JSON or PostgreSQL cannot hold, or what is nested out of all reason."""
    if _depth_exceeds(options, MAX_OPTIONS_DEPTH):
        raise ValueError(f"must not be nested more than {MAX_OPTIONS_DEPTH} levels deep")
    try:
        raw = json.dumps(options, ensure_ascii=False, allow_nan=False).encode()
    except ValueError:
        raise ValueError("must be plain JSON, without NaN, infinities or torn characters") from None
    if b"\\u0000" in raw:
        raise ValueError("must not contain NUL characters")
    if len(raw) > MAX_OPTIONS_BYTES:
        raise ValueError(f"must not exceed {MAX_OPTIONS_BYTES} bytes of JSON")
    return options


class HeaderIn(Input):
    """`header_value` may be left out of a secret header that is stored already: it is then kept."""

    header_key: HeaderKey
    is_secret: bool = False
    header_value: HeaderValue | None = None

    @field_validator("header_value")
    @classmethod
    def _sendable(cls, value: str | None, info: ValidationInfo) -> str | None:
        if value is not None:
            check_value(value, is_secret=bool(info.data.get("is_secret")))
        return value


class PriceIn(ModelPrice):
    """As in the contract, but a misspelt field is an error."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    model: Name


class ConnectionIn(Input):
    """What is left out takes the default of the type; `AZURE_OPENAI`, `CUSTOM_OPEN_AI_COMPATIBLE` and `HTTP_JSON`
    need a `base_url`. The endpoints are paths on it."""

    type: ProviderType
    base_url: BaseUrl | None = None
    models_endpoint: Endpoint | None = None
    inference_endpoint: Endpoint | None = None
    options: Annotated[dict[str, Any], AfterValidator(_storable)] = Field(
        default_factory=dict, description="Sent with every request; `GET /api/providers/types` documents those known."
    )
    headers: list[HeaderIn] = Field(default_factory=list, max_length=MAX_HEADERS)


class ProviderIn(ConnectionIn):
    """A provider as it is stored."""

    name: Name
    prices: list[PriceIn] = Field(
        default_factory=list,
        max_length=MAX_PRICES,
        description="Your own prices, for models without a list price or with a contract; a model once at most.",
    )


class ProviderTestIn(ConnectionIn):
    """A provider as it stands in a form. With the `id` of a stored one, secrets without a value are its own."""

    id: UUID | None = None
    name: Name | None = None


class HeaderOut(BaseModel):
    """`header_value` is null when secret; `hint` then holds its last four characters, if it is long
    enough to spare them."""

    header_key: str
    header_value: str | None
    is_secret: bool
    hint: str | None


class ProviderOut(Resource):
    name: str
    type: ProviderType
    base_url: str
    models_endpoint: str
    inference_endpoint: str
    options: dict[str, Any]
    headers: list[HeaderOut]
    prices: list[ModelPrice]


class ProviderPage(BaseModel):
    items: list[ProviderOut]
    next_cursor: str | None


class OptionOut(BaseModel):
    """`kind` says in words what its value is; `example` is one that works."""

    name: str
    kind: str
    description: str
    example: Any


class ProviderTypeOut(BaseModel):
    """What a form starts with. `base_url` is null where only the user can know it; `secret_header` is
    the header that usually carries the key, and `secret_prefix` what stands before it."""

    type: ProviderType
    title: str
    base_url: str | None
    base_url_example: str
    models_endpoint: str
    inference_endpoint: str
    secret_header: str | None
    secret_prefix: str
    options: list[OptionOut]


class ProviderTypes(BaseModel):
    items: list[ProviderTypeOut]


class ModelOut(BaseModel):
    id: str


class ProviderModels(BaseModel):
    """`supported` is false when the provider has no list of models."""

    models: list[ModelOut]
    latency_ms: int | None
    supported: bool


class ProviderTest(BaseModel):
    """`problem` says in a sentence why the provider does not answer, and `url` where it was asked."""

    ok: bool
    latency_ms: int | None
    models: list[ModelOut]
    problem: str | None
    cause: str | None
    url: str


class RunRef(BaseModel):
    id: UUID
    name: str


class ProviderConflict(ProblemBody):
    """Either the name is taken (`errors`) or runs use the provider (`runs`)."""

    runs: list[RunRef] = Field(default_factory=list)


class ProviderFailed(ProblemBody):
    """The provider was asked and did not answer as it should."""

    cause: str | None = None
    url: str = ""
