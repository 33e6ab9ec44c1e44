"""A chat completion request in a form that is the same for all providers, and its parts."""

import json
from typing import Any, Literal

from pydantic import Field, field_validator

from llmbench.contracts.base import Value


class ChatMessage(Value):
    role: Literal["system", "user", "assistant"]
    content: str


class ResponseSchema(Value):
    """A JSON Schema that the answer must satisfy; the provider enforces it if it can.

    `json_schema` may also be given as a JSON text, as the database stores it. A text keeps the order of the properties,
    which PostgreSQL's `jsonb` would change. The order matters, because models write the fields of their answer in this
    order.
    """

    name: str
    json_schema: dict[str, Any]

    @field_validator("json_schema", mode="before")
    @classmethod
    def _of_text(cls, schema: Any) -> Any:
        if not isinstance(schema, str):
            return schema
        try:
            return json.loads(schema)
        except RecursionError:
            raise ValueError("is nested too deeply") from None


class SamplingParams(Value):
    """The parameters of requests that the user may set for each target or judge.

    A null `temperature`, `top_p`, `max_tokens`, `seed` or `stop` means the provider's default.
    """

    temperature: float | None = Field(default=None, ge=0, le=2)
    top_p: float | None = Field(default=None, gt=0, le=1)
    max_tokens: int | None = Field(default=None, ge=1, le=1_000_000)
    seed: int | None = Field(default=None, ge=0, le=2**31 - 1)
    stop: tuple[str, ...] | None = Field(default=None, max_length=16)
    system_prompt: str | None = Field(default=None, max_length=100_000)
    options: dict[str, Any] = Field(
        default_factory=dict,
        description="Provider-specific options, sent as they are.",
    )
    response_schema: ResponseSchema | None = Field(
        default=None, description="The JSON Schema of answers, sent in the way that the provider supports."
    )


def stored_params(params: SamplingParams) -> dict[str, Any]:
    """Return the sampling parameters as the database stores them: as JSON, without unset parameters.

    The JSON Schema of the answer becomes a string; see `ResponseSchema` for the reason.
    """
    stored = params.model_dump(mode="json", exclude_none=True)
    if params.response_schema is not None:
        stored["response_schema"]["json_schema"] = json.dumps(params.response_schema.json_schema)
    return stored


class ChatRequest(Value):
    model: str
    messages: tuple[ChatMessage, ...] = Field(min_length=1)
    params: SamplingParams = Field(default_factory=SamplingParams)
    response_schema: ResponseSchema | None = None
    top_logprobs: int | None = Field(
        default=None,
        ge=1,
        le=20,
        description="The number of alternatives to each token that are requested with their log-probabilities. If the "
        "provider does not support them, the request leaves this out, and the answer has none.",
    )
