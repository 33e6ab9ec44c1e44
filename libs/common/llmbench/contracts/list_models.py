"""Request to the inference gateway: list the provider's models, and so test the connection."""

from typing import Any, ClassVar, Literal

from pydantic import Field

from llmbench.contracts.base import Message, Value
from llmbench.contracts.provider import ProviderSnapshot


class SentHeader(Value):
    """A header of a provider that is not saved yet.

    `sealed` is an encrypted secret in its stored form, in base64. It can only be decrypted with MASTER_KEY, for this
    provider id, header name and origin (`llmbench.db.secrets`).
    """

    key: str
    value: str | None = None
    sealed: str | None = None


class ListModels(Message):
    """Request for the models of a provider. The gateway reads the headers of a saved provider itself.

    For a provider that is not saved yet, the request carries the headers, with sealed secrets. Plain secrets never
    cross NATS.
    """

    SUBJECT: ClassVar[str] = "req.provider.models"

    type: Literal["llmbench.req.list_models.v1"] = "llmbench.req.list_models.v1"
    provider: ProviderSnapshot
    timeout_s: float = Field(default=10, gt=0, le=60)
    headers: tuple[SentHeader, ...] | None = Field(
        default=None, description="Instead of the stored ones; for a provider that is not saved yet."
    )
    probe: bool = Field(
        default=False,
        description="A provider without a list of models is asked a question instead: nothing else says whether it "
        "answers, and where its answer is.",
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
    """The reply: the models, or the problem.

    `problem` is null when the provider answered; otherwise it is one sentence with the actual cause. `problem_kind` is
    the class of the problem in one word; `cause` is its equivalent for readers of an earlier version. `url_tried` is
    the URL of the request. `supported` is false when the provider has no list of models.
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
