"""OpenAI itself. Its API has deprecated `max_tokens`, and its reasoning models refuse this parameter.

Support for `temperature`, `top_p` and `seed` differs between o1, o3, gpt-5 and their successors, and depends on
`reasoning_effort`. A model's error message names the parameter that it refuses ("Unsupported value: 'temperature' …").
"""

from inference_gateway.domain.model_abilities import ModelAbilities
from inference_gateway.profiles.base import BEARER, REASONING_EFFORT, Example, Profile
from llmbench.contracts.provider_type import OptionInfo, ProviderTypeInfo


class OpenAi(Profile):
    info = ProviderTypeInfo(
        type="OPENAI",
        title="OpenAI",
        description="OpenAI's own API.",
        position=30,
        base_url="https://api.openai.com",
        base_url_example="https://api.openai.com",
        headers=(BEARER,),
        options=(
            REASONING_EFFORT,
            OptionInfo(
                name="verbosity", kind="text", description="How long answers are: low, medium, high.", example="low"
            ),
            OptionInfo(
                name="service_tier",
                kind="text",
                description="auto, default, flex or priority; prices differ.",
                example="flex",
            ),
        ),
        quirks=("The limit of tokens is sent as `max_completion_tokens`.",),
        list_prices="openai",
    )
    limit_field = "max_completion_tokens"
    EXAMPLES = (
        Example(
            "sampling parameters, and an option of the user's own",
            request={
                "model": "gpt-4.1-mini",
                "messages": [{"role": "user", "content": "Hi"}],
                "params": {"temperature": 0, "max_tokens": 64, "options": {"reasoning_effort": "low"}},
            },
            path="/v1/chat/completions",
            body={
                "model": "gpt-4.1-mini",
                "messages": [{"role": "user", "content": "Hi"}],
                "temperature": 0,
                "max_completion_tokens": 64,
                "stream": True,
                "stream_options": {"include_usage": True},
                "reasoning_effort": "low",
            },
        ),
        Example(
            "a reasoning model that refused temperature: left to the model, and noted; `stop` is never left out",
            request={
                "model": "gpt-5-mini",
                "messages": [{"role": "user", "content": "Hi"}],
                "params": {"temperature": 0, "top_p": 0.9, "max_tokens": 64, "stop": ["END"]},
            },
            abilities=ModelAbilities(without=frozenset({"temperature"})),
            path="/v1/chat/completions",
            body={
                "model": "gpt-5-mini",
                "messages": [{"role": "user", "content": "Hi"}],
                "top_p": 0.9,
                "max_completion_tokens": 64,
                "stop": ["END"],
                "stream": True,
                "stream_options": {"include_usage": True},
            },
            notes=("temperature 0.0 was not sent",),
        ),
    )


PROFILE = OpenAi()
