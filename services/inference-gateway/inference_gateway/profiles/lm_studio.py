"""LM Studio's OpenAI-compatible server. It unloads an idle model after the number of seconds in the option `ttl`."""

from inference_gateway.profiles.base import REPEAT_PENALTY, TOP_K, Example, Profile
from llmbench.contracts.provider_type import OptionInfo, ProviderTypeInfo


class LmStudio(Profile):
    info = ProviderTypeInfo(
        type="LM_STUDIO",
        title="LM Studio",
        description="LM Studio's server on this machine or network.",
        position=20,
        base_url="http://127.0.0.1:1234",
        base_url_example="http://127.0.0.1:1234",
        options=(
            OptionInfo(
                name="ttl",
                kind="number",
                description="Seconds after which LM Studio unloads the idle model.",
                example=300,
            ),
            TOP_K,
            REPEAT_PENALTY,
        ),
    )
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
