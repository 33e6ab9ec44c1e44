"""OpenRouter: OpenAI's dialect plus routing options, and errors inside a stream that began with 200."""

from inference_gateway.profiles.base import Example, Profile
from llmbench.contracts.provider import ProviderType


class OpenRouter(Profile):
    type = ProviderType.OPENROUTER
    EXAMPLES = (
        Example(
            "routing to one upstream, so that two runs compare the same thing",
            request={
                "model": "meta-llama/llama-3.1-8b-instruct",
                "messages": [{"role": "user", "content": "Hi"}],
                "params": {"top_p": 0.9, "options": {"provider": {"order": ["DeepInfra"], "allow_fallbacks": False}}},
            },
            path="/v1/chat/completions",
            body={
                "model": "meta-llama/llama-3.1-8b-instruct",
                "messages": [{"role": "user", "content": "Hi"}],
                "top_p": 0.9,
                "stream": True,
                "stream_options": {"include_usage": True},
                "provider": {"order": ["DeepInfra"], "allow_fallbacks": False},
            },
        ),
    )


PROFILE = OpenRouter()
