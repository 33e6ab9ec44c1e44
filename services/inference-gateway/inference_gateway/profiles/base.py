"""The base of all profiles: OpenAI's API, which most providers offer.

This module imports no profile. No option of the user is dropped silently: unknown options are sent unchanged, and
impossible options raise an error that names them. Sampling parameters that the model refused are left out, and a note
with the answer says so (domain/model_abilities.py).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar
from urllib.parse import urlsplit, urlunsplit

from inference_gateway.domain.http_call import HttpCall, Routing, SchemaMode, Streaming
from inference_gateway.domain.model_abilities import LIMITS, OMISSIBLE, ModelAbilities
from inference_gateway.domain.signs import ERRORS, SERVER_ERRORS, Meaning, Sign, sign
from inference_gateway.domain.urls import ForeignEndpoint, endpoint_url, shown
from llmbench.contracts.chat import ChatRequest, ResponseSchema
from llmbench.contracts.embedding import EmbeddingRequest
from llmbench.contracts.provider import ProviderSnapshot
from llmbench.contracts.provider_type import HeaderInfo, OptionInfo, ProviderTypeInfo
from llmbench.contracts.reserved_options import WRITTEN, reserved

_OURS_EMBEDDING = ("model", "input")
_COMPLETIONS, _EMBEDDINGS = "/chat/completions", "/embeddings"


BEARER = HeaderInfo(name="Authorization", is_secret=True, value="Bearer ")
REASONING_EFFORT = OptionInfo(
    name="reasoning_effort",
    kind="text",
    description="How long a reasoning model thinks: minimal, low, medium, high.",
    example="low",
)
TOP_K = OptionInfo(
    name="top_k", kind="number", description="Choose among this many of the likeliest tokens.", example=40
)
REPEAT_PENALTY = OptionInfo(
    name="repeat_penalty", kind="number", description="Above 1 repetitions become less likely.", example=1.1
)


class NotPossible(ValueError):
    """Raised when a request cannot be built, such as for an option that the provider does not support; the text says
    why."""


SIGNS = (
    sign(
        Meaning.NO_CREDIT,
        r"\b(insufficient_quota|billing_hard_limit_reached|billing_not_active)\b|credit balance is too low",
        (
            429,
            '{"error": {"message": "You exceeded your current quota, please check your plan and billing details.", '
            '"type": "insufficient_quota", "param": null, "code": "insufficient_quota"}}',
        ),
        (
            400,
            '{"error": {"code": "billing_hard_limit_reached", "message": "Billing hard limit has been reached", '
            '"param": null, "type": "invalid_request_error"}}',
        ),
        (
            400,
            '{"type": "error", "error": {"type": "invalid_request_error", "message": '
            '"Your credit balance is too low to access the API. Please go to Plans & Billing."}}',
        ),
    ),
    sign(
        Meaning.NO_CREDIT,
        None,
        (402, '{"error": {"message": "Insufficient Balance", "code": "invalid_request_error"}}'),
        (402, ""),
        statuses=frozenset({402}),
    ),
    sign(
        Meaning.TOO_LARGE,
        r"^request too large\b",
        (
            429,
            '{"error": {"message": "Request too large for gpt-4o in organization org-x on tokens per min (TPM): '
            'Limit 30000, Requested 41000.", "type": "tokens", "param": null, "code": "rate_limit_exceeded"}}',
        ),
        statuses=frozenset({429}),
    ),
    sign(
        Meaning.LOADING,
        r"(?<!error )(?<!failed )\bloading model\b|\bmodel\b.{0,200}\bis (currently |still )?(loading|being loaded)\b"
        r"|\bmodel is (not ready|warming up)\b",
        # The examples come from llama.cpp, Hugging Face, LM Studio and Ollama, in this order.
        (503, '{"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}}'),
        (503, '{"error": "Model org/model-7.1b is currently loading", "estimated_time": 20.0}'),
        (400, '{"error": {"message": "Model is loading", "type": "invalid_request_error"}}'),
        (500, '{"error": "llm server loading model"}'),
        statuses=frozenset(ERRORS) - {401, 403, 422},
    ),
    sign(
        Meaning.BUSY,
        r"overloaded|server (is )?busy|maximum pending requests|at (maximum )?capacity|capacity exceeded",
        # The examples come from Ollama, Anthropic, vLLM behind a router, and OpenAI, in this order.
        (503, '{"error": "server busy, please try again.  maximum pending requests exceeded"}'),
        (529, '{"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}'),
        (503, '{"object": "error", "message": "The server is overloaded", "type": "ServiceUnavailableError"}'),
        (503, '{"error": {"message": "The engine is currently overloaded, please try again later.", "code": null}}'),
        statuses=SERVER_ERRORS,
    ),
)
"""The patterns of errors (`Sign`) for all providers: any service may be a proxy in front of another provider's API."""


@dataclass(frozen=True)
class Example:
    """A conformance example: `request` to a provider at http://host must become a POST of `body` to `path`.

    `abilities` are the model's abilities as learned from earlier refusals (by default everything is tried). Each entry
    of `notes` is a text that the note at the same position must contain.
    """

    title: str
    request: Mapping[str, Any]
    path: str
    body: Mapping[str, Any]
    options: Mapping[str, Any] = field(default_factory=dict)
    endpoint: str = "/v1/chat/completions"
    abilities: ModelAbilities = field(default_factory=ModelAbilities)
    notes: tuple[str, ...] = ()


class Profile:
    """The profile of OpenAI's chat API. Subclasses describe their provider type in `info` and override what differs."""

    info: ClassVar[ProviderTypeInfo]
    """The description of the provider type, from which the form, the documentation and the checks are made."""
    unloads: ClassVar[bool] = False
    """True when a model can be unloaded: then `unload` returns a call."""
    limit_field: ClassVar[str] = LIMITS[0]
    names_deployments: ClassVar[bool] = False
    """True when users choose the models' names, so that price lists cannot know them."""
    url_options: ClassVar[frozenset[str]] = frozenset()
    """The options that become part of the URL, of embeddings as well as of completions."""
    signs: ClassVar[tuple[Sign, ...]] = SIGNS
    """The patterns that recognise this provider's errors (`Sign`), the vendor's own wordings first."""
    EXAMPLES: ClassVar[tuple[Example, ...]] = ()

    @property
    def type(self) -> str:
        return self.info.type

    @property
    def headers(self) -> dict[str, str]:
        """Return the provider type's own headers, sent with every request. The user's headers override them."""
        return {header.name: header.value for header in self.info.headers if not header.is_secret}

    def option_problems(self, options: Mapping[str, Any]) -> list[tuple[str, str]]:
        """Return the errors in `options` as pairs of a path (such as `deployments.0`) and a message.

        An empty list means that there are none.
        """
        return reserved(options, self.info.reserved) + [
            (option.name, option.rule.message)
            for option in self.info.options
            if option.rule is not None and option.name in options and not option.rule.allows(options[option.name])
        ]

    def completion(self, provider: ProviderSnapshot, request: ChatRequest, abilities: ModelAbilities) -> HttpCall:
        """Return the request for a completion. Raises `NotPossible` if it cannot be built."""
        options = chosen_options(provider, request)
        streaming = requested_streaming(options, abilities.streaming)
        sampling, notes = self.sampling(request, abilities)
        body: dict[str, Any] = {"model": request.model, "messages": chat_messages(request), **sampling}
        schema = SchemaMode.NONE
        if request.response_schema is not None and "response_format" not in options:
            schema = abilities.schema
            notes += schema_notes(schema)
            body |= _response_format(request.response_schema, schema)
        wants = request.top_logprobs is not None and "logprobs" not in options
        notes += logprobs_notes(wants, abilities)
        if wants and abilities.logprobs:
            body |= {"logprobs": True, "top_logprobs": request.top_logprobs}
        if streaming is not Streaming.OFF:
            body["stream"] = True
        if streaming is Streaming.WITH_USAGE:
            body["stream_options"] = {"include_usage": True}
        more, routing, extra_notes = self.extras(options, body, abilities)
        return HttpCall(
            self.url(provider, request.model, options),
            body | options | more,
            streaming=streaming,
            schema=schema,
            logprobs=wants and abilities.logprobs,
            routing=routing,
            adaptable=frozenset(sampling).intersection((*LIMITS, *OMISSIBLE)).difference(options),
            notes=notes + extra_notes,
            headers=self.headers,
        )

    def embedding(self, provider: ProviderSnapshot, request: EmbeddingRequest) -> HttpCall:
        """Return the request for embeddings.

        Raises `NotPossible` for an option that llmbench itself sets, such as `model`, or if the URL for embeddings is
        unknown.

        The provider's options are meant for completions. So only those that belong in the URL (`url_options`) are used,
        and a note lists the others.
        """
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
        """Return the URL for embeddings: the URL for completions, with `/embeddings` in place of `/chat/completions`.

        Raises `NotPossible` if the URL for completions cannot be built, or does not end in `/chat/completions`.
        """
        parts = urlsplit(self.url(provider, model, options))
        if not parts.path.endswith(_COMPLETIONS):
            raise NotPossible(
                f"where this provider has its embeddings cannot be told from its endpoint {shown(urlunsplit(parts))}, "
                f"which does not end in {_COMPLETIONS}"
            )
        return urlunsplit(parts._replace(path=parts.path.removesuffix(_COMPLETIONS) + _EMBEDDINGS))

    def url(self, provider: ProviderSnapshot, model: str, options: dict[str, Any]) -> str:
        """Return the URL for completions. Options that become part of the URL are removed from `options`.

        Raises `NotPossible` for an endpoint on another origin than the base URL, or for an option whose value cannot be
        part of a URL.
        """
        return inference_url(provider, provider.inference_endpoint)

    def models_url(self, provider: ProviderSnapshot) -> str:
        """Return the URL of the model list. Raises `ForeignEndpoint` if it is on another origin than the base URL."""
        return endpoint_url(provider.base_url, provider.models_endpoint)

    def named_models(self, provider: ProviderSnapshot) -> tuple[str, ...]:
        """Return the models that the user listed because the provider cannot list them; empty if there are none."""
        return ()

    def extras(
        self, options: Mapping[str, Any], body: Mapping[str, Any], abilities: ModelAbilities
    ) -> tuple[dict[str, Any], Routing, tuple[str, ...]]:
        """Return parameters of the body that OpenAI's API does not have, the routing, and notes for the user.

        The routing says which upstream providers a router, such as OpenRouter, may choose. It is `ANY` for a provider
        type that is no router.

        Raises `NotPossible` for an option that the provider type cannot use.
        """
        return {}, Routing.ANY, ()

    def sampling(self, request: ChatRequest, abilities: ModelAbilities) -> tuple[dict[str, Any], tuple[str, ...]]:
        """Return the sampling parameters to send, and a note on each parameter that is left out."""
        params = request.params
        limit = self.limit_field
        if abilities.other_limit:
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
            if name in abilities.without
        )
        return {name: value for name, value in chosen.items() if name not in abilities.without}, notes

    def unload(self, provider: ProviderSnapshot, model: str) -> HttpCall | None:
        """Return the call that unloads the model; `None` if the provider has no such call."""
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


def logprobs_notes(wanted: bool, abilities: ModelAbilities) -> tuple[str, ...]:
    return (
        ("Log-probabilities were not asked for: the model refuses them.",) if wanted and not abilities.logprobs else ()
    )


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
    """Return the provider's options, overridden by the request's. Raises `NotPossible` if they contain `model` or
    `messages`."""
    options = {**provider.options, **request.params.options}
    for name in WRITTEN:
        if name in options:
            raise NotPossible(f"the option {name!r} cannot be set: llmbench decides it; remove it")
    return options


def requested_streaming(options: dict[str, Any], streaming: Streaming) -> Streaming:
    """Remove `stream` from `options`. Return the streaming to request: OFF if the user set `stream: false`, else
    `streaming`."""
    if "stream" not in options:
        return streaming
    wanted = options.pop("stream")
    return streaming if wanted else Streaming.OFF
