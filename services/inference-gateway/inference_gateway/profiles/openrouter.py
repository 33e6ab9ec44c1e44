"""OpenRouter: OpenAI's API plus routing, the charge of each call, and errors within a 200 stream.

By default, OpenRouter ignores parameters that the chosen upstream provider does not support. So this profile sets
`provider.require_parameters`. If no upstream provider supports all parameters, the request is repeated without this
setting, and a note with the answer says so.
"""

from collections.abc import Mapping
from typing import Any

from inference_gateway.domain.http_call import Routing
from inference_gateway.domain.model_abilities import ModelAbilities
from inference_gateway.domain.signs import Meaning, sign
from inference_gateway.profiles.base import BEARER, SIGNS, Example, NotPossible, Profile
from llmbench.contracts.provider_type import HeaderInfo, OptionInfo, ProviderTypeInfo

_NOT_PARAMETERS = frozenset({"model", "messages", "stream", "stream_options"})
_MESSAGES = [{"role": "user", "content": "Hi"}]


class OpenRouter(Profile):
    info = ProviderTypeInfo(
        type="OPENROUTER",
        title="OpenRouter",
        description="One API in front of the models of many vendors.",
        position=40,
        base_url="https://openrouter.ai/api/v1",
        base_url_example="https://openrouter.ai/api/v1",
        headers=(
            BEARER,
            # OpenRouter's statistics show this application name.
            HeaderInfo(name="HTTP-Referer", value="http://localhost/llmbench"),
            HeaderInfo(name="X-Title", value="llmbench"),
        ),
        options=(
            OptionInfo(
                name="provider",
                kind="object",
                description="Which upstream answers. Fix it, or two runs may compare different hosts.",
                example={"order": ["DeepInfra"], "allow_fallbacks": False},
            ),
            OptionInfo(
                name="reasoning",
                kind="object",
                description="Effort or token budget of reasoning models.",
                example={"effort": "low"},
            ),
            OptionInfo(
                name="transforms",
                kind="list",
                description="If empty: a prompt that is too long is refused instead of cut.",
                example=[],
            ),
        ),
        quirks=(
            "Calls go only to upstream providers that support every parameter that is set "
            "(`provider.require_parameters`). Where there is none, the call is made without that condition, which a "
            "note says.",
            "The charge of each call is requested, and recorded as its cost.",
        ),
        list_prices="openrouter",
        reports_cost=True,
    )
    signs = (
        sign(
            Meaning.NO_CREDIT,
            r"insufficient credits|requires more credits|key limit exceeded",
            (402, '{"error": {"message": "Insufficient credits. Add more in your settings.", "code": 402}}'),
            (402, '{"error": {"message": "This request requires more credits, or fewer max_tokens.", "code": 402}}'),
            (403, '{"error": {"message": "Key limit exceeded (total limit).", "code": 403}}'),
        ),
        *SIGNS,
    )

    def extras(
        self, options: Mapping[str, Any], body: Mapping[str, Any], abilities: ModelAbilities
    ) -> tuple[dict[str, Any], Routing, tuple[str, ...]]:
        parameters = sorted((body.keys() | options.keys()) - _NOT_PARAMETERS - {"provider", "usage"})
        routed = options.get("provider") or {}
        if not isinstance(routed, Mapping):
            raise NotPossible('the option \'provider\' of OpenRouter must be an object, as {"order": ["DeepInfra"]}')
        more: dict[str, Any] = {"usage": options.get("usage", {"include": True})}
        if not parameters or "require_parameters" in routed:
            return more, Routing.ANY, ()
        if abilities.routing is Routing.ANY:
            note = (
                f"OpenRouter has no endpoint that knows all of {', '.join(parameters)}: what it does not know is "
                "ignored."
            )
            return more, Routing.ANY, (note,)
        return {**more, "provider": {"require_parameters": True, **routed}}, Routing.ALL_PARAMETERS, ()

    EXAMPLES = (
        Example(
            "routing to one upstream, so that two runs compare the same thing",
            request={
                "model": "meta-llama/llama-3.1-8b-instruct",
                "messages": _MESSAGES,
                "params": {"top_p": 0.9, "options": {"provider": {"order": ["DeepInfra"], "allow_fallbacks": False}}},
            },
            path="/v1/chat/completions",
            body={
                "model": "meta-llama/llama-3.1-8b-instruct",
                "messages": _MESSAGES,
                "top_p": 0.9,
                "stream": True,
                "stream_options": {"include_usage": True},
                "usage": {"include": True},
                "provider": {"require_parameters": True, "order": ["DeepInfra"], "allow_fallbacks": False},
            },
        ),
        Example(
            "no endpoint knows every parameter: asked again, and noted",
            request={
                "model": "openai/gpt-5-mini",
                "messages": _MESSAGES,
                "params": {"temperature": 0, "seed": 1},
            },
            abilities=ModelAbilities(routing=Routing.ANY),
            path="/v1/chat/completions",
            body={
                "model": "openai/gpt-5-mini",
                "messages": _MESSAGES,
                "temperature": 0,
                "seed": 1,
                "stream": True,
                "stream_options": {"include_usage": True},
                "usage": {"include": True},
            },
            notes=("no endpoint that knows all of seed, temperature",),
        ),
    )


PROFILE = OpenRouter()
