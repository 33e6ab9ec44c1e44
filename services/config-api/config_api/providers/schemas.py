"""Define the bodies and responses of `/api/providers`. A secret header's value is accepted and never returned."""

import json
from typing import Annotated, Any
from uuid import UUID

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationInfo, field_validator

from config_api.bodies import Input, Name, Resource
from config_api.providers.headers import MAX_HEADERS, HeaderKey, HeaderValue, check_value
from config_api.providers.urls import BaseUrl, Endpoint
from llmbench.contracts.provider import ModelPrice
from llmbench.files.values import has_nul
from llmbench.http.created_by import CreatedBy
from llmbench.http.openapi import ProblemBody

MAX_OPTIONS_BYTES = 64 * 1024
MAX_OPTIONS_DEPTH = 32
MAX_PRICES = 500
TypeName = Annotated[str, Field(min_length=1, max_length=64)]


def _depth_exceeds(value: object, levels: int) -> bool:
    """Return whether the value is nested deeper than `levels`, without recursing further than that."""
    if isinstance(value, dict):
        parts = list(value.values())
    elif isinstance(value, list):
        parts = value
    else:
        return False
    return levels == 0 or any(_depth_exceeds(part, levels - 1) for part in parts)


def _storable(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options unchanged. Raises `ValueError` if they are not valid JSON, too large, or nested too deep."""
    if _depth_exceeds(options, MAX_OPTIONS_DEPTH):
        raise ValueError(f"must not be nested more than {MAX_OPTIONS_DEPTH} levels deep")
    try:
        written = json.dumps(options, ensure_ascii=False, allow_nan=False)
        raw = written.encode()
    except ValueError:
        raise ValueError("must be plain JSON, without NaN, infinities or torn characters") from None
    if has_nul(written):
        raise ValueError("must not contain NUL characters")
    if len(raw) > MAX_OPTIONS_BYTES:
        raise ValueError(f"must not exceed {MAX_OPTIONS_BYTES} bytes of JSON")
    return options


class HeaderIn(Input):
    """A header of a provider.

    `header_value` may be missing only for a secret header that the stored provider already has. The stored value is
    then used. If the origin of `base_url` has changed, the value must be sent again; without it, the response is a 422.
    """

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
    """The user's price of a model, in US dollars per million tokens. It overrides the list price."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    model: Name


class ConnectionIn(Input):
    """The connection to a provider. Missing fields get the defaults of the type; a type without a default URL needs a
    `base_url`.

    The endpoints are paths, which are appended to `base_url`.
    """

    type: TypeName = Field(description="One of the types that `GET /api/providers/types` lists.")
    base_url: BaseUrl | None = None
    models_endpoint: Endpoint | None = None
    inference_endpoint: Endpoint | None = None
    options: Annotated[dict[str, Any], AfterValidator(_storable)] = Field(
        default_factory=dict,
        description="Sent with every request; `GET /api/providers/types` documents the known ones.",
    )
    headers: list[HeaderIn] = Field(default_factory=list, max_length=MAX_HEADERS)


class ProviderIn(ConnectionIn):
    """The request body that creates or replaces a provider."""

    name: Name
    prices: list[PriceIn] = Field(
        default_factory=list,
        max_length=MAX_PRICES,
        description="Your own prices, for models without a list price or with a contract; one per model.",
    )


class ProviderTestIn(ConnectionIn):
    """The request body of a provider test.

    With the `id` of a stored provider, a secret header without a value gets its stored value. If `base_url` then has
    another origin than the stored provider, the response is a 422. Stored headers that the body does not list are not
    sent.
    """

    id: UUID | None = None
    name: Name | None = None


class HeaderOut(BaseModel):
    """A header of a provider. `header_value` is null for a secret.

    `hint` has the last four characters of a secret of 12 or more characters, otherwise it is null.
    """

    header_key: str
    header_value: str | None
    is_secret: bool
    hint: str | None


class ProviderOut(Resource):
    name: str
    type: str
    base_url: str
    models_endpoint: str
    inference_endpoint: str
    options: dict[str, Any]
    headers: list[HeaderOut]
    prices: list[ModelPrice]
    created_by: CreatedBy = None


class ProviderPage(BaseModel):
    items: list[ProviderOut]
    next_cursor: str | None


class OptionOut(BaseModel):
    """An option of a provider type. `kind` describes the option's possible values; `example` is a valid value."""

    name: str
    kind: str
    description: str
    example: Any


class ProviderTypeOut(BaseModel):
    """A provider type, with the initial values of a form.

    `description` says which servers have this type; each of `quirks` is a difference from OpenAI's API. `base_url` is
    null if only the user can know it. `lists_models` is false if the API cannot list models; a test then sends a
    question. `secret_header` is the header that usually has the key, and `secret_prefix` the text before the key.
    """

    type: str
    title: str
    description: str
    base_url: str | None
    base_url_example: str
    models_endpoint: str
    inference_endpoint: str
    lists_models: bool
    secret_header: str | None
    secret_prefix: str
    options: list[OptionOut]
    quirks: list[str]


class ProviderTypes(BaseModel):
    items: list[ProviderTypeOut]


class ModelOut(BaseModel):
    id: str


class ProviderModels(BaseModel):
    """A provider's models. `supported` is false when the provider has no list of models."""

    models: list[ModelOut]
    latency_ms: int | None
    supported: bool


class ProviderTest(BaseModel):
    """The result of a provider test. `url` is the address that was tried. `problem` says why the test failed, `cause`
    is a code for the reason; both are null if `ok`."""

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
    """The body of a 409 response: the provider's name is taken (`errors`), or runs use the provider (`runs`)."""

    runs: list[RunRef] = Field(default_factory=list)


class ProviderFailed(ProblemBody):
    """The body of a 502 response: the provider's models could not be listed. `url` is the address that was tried."""

    cause: str | None = None
    url: str = ""
