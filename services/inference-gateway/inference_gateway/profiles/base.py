"""What a profile is, and OpenAI's dialect, which most providers speak.

`base` imports no profile. No option a user sets is dropped in silence: what is not known here is
sent as it is, what cannot be sent is an error that names it, and what the provider refused is noted
with the answer (domain/manner.py).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar
from urllib.parse import urlsplit, urlunsplit

from inference_gateway.domain.http_call import HttpCall, Routing, SchemaMode, Streaming
from inference_gateway.domain.manner import LIMITS, OMISSIBLE, Manner
from inference_gateway.domain.urls import ForeignEndpoint, endpoint_url, shown
from llmbench.contracts.chat import ChatRequest, ResponseSchema
from llmbench.contracts.embedding import EmbeddingRequest
from llmbench.contracts.provider import ProviderSnapshot, ProviderType

_OURS = ("model", "messages")
_OURS_EMBEDDING = ("model", "input")
_COMPLETIONS, _EMBEDDINGS = "/chat/completions", "/embeddings"


class NotPossible(ValueError):
    """This provider cannot be asked that; the text says why and what to do."""


@dataclass(frozen=True)
class Example:
    """`request` to a provider at http://host must become a POST of `body` to `path`.

    `manner` is what the model was found to understand (everything, when not given), `notes` are
    words of the notes that tell of it, in their order.
    """

    title: str
    request: Mapping[str, Any]
    path: str
    body: Mapping[str, Any]
    options: Mapping[str, Any] = field(default_factory=dict)
    endpoint: str = "/v1/chat/completions"
    manner: Manner = field(default_factory=Manner)
    notes: tuple[str, ...] = ()


class Profile:
    """OpenAI's chat API. Subclasses set `type` and change what differs."""

    type: ClassVar[ProviderType]
    unloads: ClassVar[bool] = False
    """Whether a model can be unloaded: then `unload` returns a call."""
    limit_field: ClassVar[str] = LIMITS[0]
    list_prices: ClassVar[str | None] = None
    """The provider's id in `genai-prices`; `None` where no list price holds."""
    reports_cost: ClassVar[bool] = False
    """Whether `usage.cost` is what the call was charged, in US dollars."""
    names_deployments: ClassVar[bool] = False
    """Whether a model's name here is one that its owner chose: a price list cannot know it."""
    lists_models: ClassVar[bool] = True
    """Whether there is a list of models to read; where there is none, `named_models` are all."""
    headers: ClassVar[Mapping[str, str]] = {}
    url_options: ClassVar[frozenset[str]] = frozenset()
    """Options that belong into the URL, of embeddings as of completions."""
    EXAMPLES: ClassVar[tuple[Example, ...]] = ()

    def completion(self, provider: ProviderSnapshot, request: ChatRequest, manner: Manner) -> HttpCall:
        """Raises `NotPossible`."""
        options = chosen_options(provider, request)
        streaming = asked_streaming(options, manner.streaming)
        sampling, notes = self.sampling(request, manner)
        body: dict[str, Any] = {"model": request.model, "messages": chat_messages(request), **sampling}
        schema = SchemaMode.NONE
        if request.response_schema is not None and "response_format" not in options:
            schema = manner.schema
            notes += schema_notes(schema)
            body |= _response_format(request.response_schema, schema)
        wants = request.top_logprobs is not None and "logprobs" not in options
        notes += logprobs_notes(wants, manner)
        if wants and manner.logprobs:
            body |= {"logprobs": True, "top_logprobs": request.top_logprobs}
        if streaming is not Streaming.OFF:
            body["stream"] = True
        if streaming is Streaming.WITH_USAGE:
            body["stream_options"] = {"include_usage": True}
        more, routing, said = self.extras(options, body, manner)
        return HttpCall(
            self.url(provider, request.model, options),
            body | options | more,
            streaming=streaming,
            schema=schema,
            logprobs=wants and manner.logprobs,
            routing=routing,
            adaptable=frozenset(sampling).intersection((*LIMITS, *OMISSIBLE)).difference(options),
            notes=notes + said,
            headers=self.headers,
        )

    def embedding(self, provider: ProviderSnapshot, request: EmbeddingRequest) -> HttpCall:
        """The provider's own options are those of its completions: but for the URL's they are not sent, and
        that is noted. Raises `NotPossible`."""
        for name in _OURS_EMBEDDING:
            if name in request.options:
                raise NotPossible(f"the option {name!r} cannot be set: llmbench decides it; remove it")
        kept = {name: value for name, value in provider.options.items() if name in self.url_options}
        options = {**kept, **request.options}
        url = self.embedding_url(provider, request.model, options)
        unsent = sorted(provider.options.keys() - self.url_options - request.options.keys())
        notes = (f"Options of the provider's completions were not sent: {', '.join(unsent)}.",) if unsent else ()
        body = {"model": request.model, "input": list(request.texts), **options}
        return HttpCall(url, body, notes=notes, headers=self.headers)

    def embedding_url(self, provider: ProviderSnapshot, model: str, options: dict[str, Any]) -> str:
        """Beside the completions: `/embeddings` for `/chat/completions`. Raises `NotPossible`."""
        parts = urlsplit(self.url(provider, model, options))
        if not parts.path.endswith(_COMPLETIONS):
            raise NotPossible(
                f"where this provider has its embeddings cannot be told from its endpoint {shown(urlunsplit(parts))}, "
                f"which does not end in {_COMPLETIONS}"
            )
        return urlunsplit(parts._replace(path=parts.path.removesuffix(_COMPLETIONS) + _EMBEDDINGS))

    def url(self, provider: ProviderSnapshot, model: str, options: dict[str, Any]) -> str:
        """Where completions are asked for; takes those `options` that belong into the URL."""
        return inference_url(provider, provider.inference_endpoint)

    def models_url(self, provider: ProviderSnapshot) -> str:
        """Where the models are listed. Raises `ForeignEndpoint`."""
        return endpoint_url(provider.base_url, provider.models_endpoint)

    def named_models(self, provider: ProviderSnapshot) -> tuple[str, ...]:
        """The models that the user named because the provider does not tell them; else empty."""
        return ()

    def extras(
        self, options: Mapping[str, Any], body: Mapping[str, Any], manner: Manner
    ) -> tuple[dict[str, Any], Routing, tuple[str, ...]]:
        """What the provider wants beside OpenAI's own, and notes on it."""
        return {}, Routing.ANY, ()

    def sampling(self, request: ChatRequest, manner: Manner) -> tuple[dict[str, Any], tuple[str, ...]]:
        """The parameters as they are sent, and a note on each that is not."""
        params = request.params
        limit = self.limit_field
        if manner.other_limit:
            limit = LIMITS[1 - LIMITS.index(limit)]
        named = {
            "temperature": params.temperature,
            "top_p": params.top_p,
            limit: params.max_tokens,
            "seed": params.seed,
            "stop": None if params.stop is None else list(params.stop),
        }
        chosen = {name: value for name, value in named.items() if value is not None}
        notes = tuple(
            f"{name} {value} was not sent: the model refuses it and uses its own default."
            for name, value in chosen.items()
            if name in manner.without
        )
        return {name: value for name, value in chosen.items() if name not in manner.without}, notes

    def unload(self, provider: ProviderSnapshot, model: str) -> HttpCall | None:
        """The call that frees the model's memory; `None` where there is none."""
        return None


def _response_format(schema: ResponseSchema, mode: SchemaMode) -> dict[str, Any]:
    match mode:
        case SchemaMode.STRICT:
            wanted = {"name": schema.name, "schema": schema.json_schema, "strict": True}
            return {"response_format": {"type": "json_schema", "json_schema": wanted}}
        case SchemaMode.OBJECT:
            return {"response_format": {"type": "json_object"}}
        case SchemaMode.NONE:
            return {}


def schema_notes(mode: SchemaMode) -> tuple[str, ...]:
    match mode:
        case SchemaMode.STRICT:
            return ()
        case SchemaMode.OBJECT:
            return ("The JSON Schema was not enforced: the model refuses it, and was asked for JSON mode instead.",)
        case SchemaMode.NONE:
            return ("The JSON Schema was not enforced: the model refuses it and JSON mode, and was asked in words.",)


def logprobs_notes(wanted: bool, manner: Manner) -> tuple[str, ...]:
    return ("Log-probabilities were not asked for: the model refuses them.",) if wanted and not manner.logprobs else ()


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
