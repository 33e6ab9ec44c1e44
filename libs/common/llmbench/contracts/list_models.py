"""Request to the inference gateway: list a provider's models, which also tests the connection."""

from typing import Any, ClassVar, Literal

from pydantic import Field

from llmbench.contracts.base import Message, Value
from llmbench.contracts.provider import ProviderSnapshot


class SentHeader(Value):
    """A header in a request to list models. It may differ from the provider's stored headers, so that users can test
    values before they save them.

    `key` is the header's name, `value` its plain value. A secret header has `sealed` instead: the encrypted value in
    base64. Decryption needs MASTER_KEY and the same provider id, header name and URL origin (`llmbench.db.secrets`).
    """

    key: str
    value: str | None = None
    sealed: str | None = None


class ListModels(Message):
    """A request for the models of a provider.

    If `headers` is null, the gateway reads the stored headers. To test values that are not saved, the request carries
    the headers, with encrypted secrets. Plain secrets never cross NATS. With `probe`, a provider that has no list of
    models is asked a question instead. `timeout_s` limits the wait for the provider.
    """

    SUBJECT: ClassVar[str] = "req.provider.models"

    type: Literal["llmbench.req.list_models.v1"] = "llmbench.req.list_models.v1"
    provider: ProviderSnapshot
    timeout_s: float = Field(default=10, gt=0, le=60)
    headers: tuple[SentHeader, ...] | None = Field(
        default=None, description="Headers instead of the stored ones, for a provider that is not saved yet."
    )
    probe: bool = Field(
        default=False,
        description="Ask a provider without a list of models a question instead. Only that shows whether it answers, "
        "and whether the answer is found in its response.",
    )

    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = (
        {
            "type": "llmbench.req.list_models.v1",
            "provider": {
                "provider_id": "0193a000-0000-7000-8000-0000000000aa",
                "name": "Local Ollama",
                "type": "OLLAMA",
                "base_url": "http://127.0.0.1:11434",
                "models_endpoint": "/v1/models",
                "inference_endpoint": "/v1/chat/completions",
            },
        },
    )


class ModelsListed(Value):
    """The gateway's reply to a request for models: the models, or the problem.

    `problem` is a text for the user about the failure, null on success. `problem_kind` classifies the problem in one
    word; `cause` does the same, with the fixed set of words that earlier versions know. `url` and `url_tried` are
    equal: the URL that was called, or the base URL if nothing was sent. Earlier versions send only `url`. `latency_ms`
    is null if no response came. `supported` is false when the provider answered that it has no list of models.
    """

    models: tuple[str, ...] = ()
    latency_ms: int | None = None
    supported: bool = True
    problem: str | None = None
    cause: (
        Literal["refused", "dns", "tls", "timeout", "unauthorized", "not_found", "not_json", "http_error", "secrets"]
        | None
    ) = None
    url: str
    url_tried: str | None = None
    problem_kind: str | None = None
