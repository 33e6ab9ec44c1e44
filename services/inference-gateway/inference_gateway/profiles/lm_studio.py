"""LM Studio's OpenAI-compatible server. It unloads idle models by itself (`ttl`)."""

from inference_gateway.profiles.base import Example, Profile
from llmbench.contracts.provider import ProviderType


class LmStudio(Profile):
    type = ProviderType.LM_STUDIO
    EXAMPLES = (
        Example(
            "`ttl`, LM Studio's own option, is sent as it is",
            request={
                "model": "qwen2.5-0.5b-instruct",
                "messages": [{"role": "user", "content": "Hi"}],
                "params": {"seed": 7, "max_tokens": 8, "options": {"ttl": 300}},
            },
            path="/v1/chat/completions",
            body={
                "model": "qwen2.5-0.5b-instruct",
                "messages": [{"role": "user", "content": "Hi"}],
                "max_tokens": 8,
                "seed": 7,
                "stream": True,
                "stream_options": {"include_usage": True},
                "ttl": 300,
            },
        ),
    )


PROFILE = LmStudio()
