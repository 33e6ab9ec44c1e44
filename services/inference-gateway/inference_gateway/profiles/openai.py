"""OpenAI itself: `max_tokens` is deprecated there, and refused by its reasoning models."""

from inference_gateway.profiles.base import Example, Profile
from llmbench.contracts.provider import ProviderType


class OpenAi(Profile):
    type = ProviderType.OPENAI
    max_tokens_field = "max_completion_tokens"
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
    )


PROFILE = OpenAi()
