"""What a profile is, and OpenAI's dialect, which most providers speak.

`base` imports no profile. No option a user sets is dropped in silence: what is not known here is
sent as it is, and what cannot be sent is an error that names it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from inference_gateway.domain.http_call import Dialect, HttpCall, Streaming
from inference_gateway.domain.urls import ForeignEndpoint, endpoint_url
from llmbench.contracts.chat import ChatRequest
from llmbench.contracts.provider import ProviderSnapshot, ProviderType

_OURS = ("model", "messages")


class NotPossible(ValueError):
    """This provider cannot be asked that; the text says why and what to do."""


@dataclass(frozen=True)
class Example:
    """`request` to a provider at http://host must become a POST of `body` to `path`."""

    title: str
    request: Mapping[str, Any]
    path: str
    body: Mapping[str, Any]
    options: Mapping[str, Any] = field(default_factory=dict)
    streaming: Streaming = Streaming.WITH_USAGE


class Profile:
    """OpenAI's chat API. Subclasses set `type` and change what differs."""

    type: ClassVar[ProviderType]
    streaming: ClassVar[Streaming] = Streaming.WITH_USAGE
    """The most that is worth asking for; a refusal lowers it per model (domain/fallback.py)."""
    json_schema: ClassVar[bool] = True
    """Whether `response_format` with a JSON Schema is understood."""
    unloads: ClassVar[bool] = False
    """Whether a model can be unloaded: then `unload` returns a call."""
    max_tokens_field: ClassVar[str] = "max_tokens"
    EXAMPLES: ClassVar[tuple[Example, ...]] = ()

    def completion(self, provider: ProviderSnapshot, request: ChatRequest, streaming: Streaming) -> HttpCall:
        """Raises `NotPossible`."""
        options = chosen_options(provider, request)
        streaming = asked_streaming(options, streaming)
        body: dict[str, Any] = {"model": request.model, "messages": chat_messages(request)}
        body |= self.sampling(request)
        if request.response_schema is not None and self.json_schema:
            body["response_format"] = {
                "type": "json_schema",
                "json_schema": {
                    "name": request.response_schema.name,
                    "schema": request.response_schema.json_schema,
                    "strict": True,
                },
            }
        if streaming is not Streaming.OFF:
            body["stream"] = True
        if streaming is Streaming.WITH_USAGE:
            body["stream_options"] = {"include_usage": True}
        body |= options
        return HttpCall(
            inference_url(provider, provider.inference_endpoint), body, dialect=Dialect.OPENAI, streaming=streaming
        )

    def sampling(self, request: ChatRequest) -> dict[str, Any]:
        params = request.params
        named = {
            "temperature": params.temperature,
            "top_p": params.top_p,
            self.max_tokens_field: params.max_tokens,
            "seed": params.seed,
            "stop": None if params.stop is None else list(params.stop),
        }
        return {name: value for name, value in named.items() if value is not None}

    def unload(self, provider: ProviderSnapshot, model: str) -> HttpCall | None:
        """The call that frees the model's memory; `None` where there is none."""
        return None


def inference_url(provider: ProviderSnapshot, endpoint: str) -> str:
    try:
        return endpoint_url(provider.base_url, endpoint)
    except ForeignEndpoint as error:
        raise NotPossible(f"{error}; correct the provider's endpoint") from None


def chat_messages(request: ChatRequest) -> list[dict[str, str]]:
    messages = [message.model_dump() for message in request.messages]
    system = request.params.system_prompt
    if system and messages[0] != {"role": "system", "content": system}:
        messages.insert(0, {"role": "system", "content": system})
    return messages


def chosen_options(provider: ProviderSnapshot, request: ChatRequest) -> dict[str, Any]:
    """The provider's options, overruled by the request's, as they are sent."""
    options = {**provider.options, **request.params.options}
    for name in _OURS:
        if name in options:
            raise NotPossible(f"the option {name!r} cannot be set: llmbench decides it; remove it")
    return options


def asked_streaming(options: dict[str, Any], streaming: Streaming) -> Streaming:
    """A user's own `stream: false` wins; `stream: true` is what happens anyway."""
    if "stream" not in options:
        return streaming
    wanted = options.pop("stream")
    return streaming if wanted else Streaming.OFF
