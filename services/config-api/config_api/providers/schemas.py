"""What `/api/providers` takes and gives. A secret header's value goes in and never comes out."""

import json
from typing import Annotated, Any
from uuid import UUID

from pydantic import AfterValidator, BaseModel, Field, ValidationInfo, field_validator

from config_api.bodies import Input, Name, Resource
from config_api.providers.headers import MAX_HEADERS, HeaderKey, HeaderValue, check_value
from config_api.providers.urls import BaseUrl, Endpoint
from llmbench.contracts.provider import ProviderType
from llmbench.web import ProblemBody

MAX_OPTIONS_BYTES = 64 * 1024
MAX_OPTIONS_DEPTH = 32


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


class ProviderIn(Input):
    """What is left out takes the default of the type; `AZURE_OPENAI` and `CUSTOM_OPEN_AI_COMPATIBLE`
    need a `base_url`. The endpoints are paths on it."""

    name: Name
    type: ProviderType
    base_url: BaseUrl | None = None
    models_endpoint: Endpoint | None = None
    inference_endpoint: Endpoint | None = None
    options: Annotated[dict[str, Any], AfterValidator(_storable)] = Field(
        default_factory=dict, description="Sent with every request to this provider."
    )
    headers: list[HeaderIn] = Field(default_factory=list, max_length=MAX_HEADERS)


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


class ProviderPage(BaseModel):
    items: list[ProviderOut]
    next_cursor: str | None


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
