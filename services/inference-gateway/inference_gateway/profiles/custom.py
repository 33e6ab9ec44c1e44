"""Any server with OpenAI's chat API: vLLM, llama.cpp, LiteLLM, or the user's own."""

from inference_gateway.domain.http_call import SchemaMode, Streaming
from inference_gateway.domain.model_abilities import ModelAbilities
from inference_gateway.profiles.base import BEARER, TOP_K, Example, Profile
from llmbench.contracts.provider_type import OptionInfo, ProviderTypeInfo

_SCHEMA = {"type": "object", "properties": {"score": {"type": "integer"}}, "required": ["score"]}


class Custom(Profile):
    info = ProviderTypeInfo(
        type="CUSTOM_OPEN_AI_COMPATIBLE",
        title="OpenAI-compatible",
        description="Any server with OpenAI's chat API: vLLM, llama.cpp, LiteLLM, or your own.",
        position=60,
        base_url_example="http://127.0.0.1:8000",
        headers=(BEARER,),
        options=(
            TOP_K,
            OptionInfo(
                name="chat_template_kwargs",
                kind="object",
                description="vLLM, SGLang: arguments of the chat template.",
                example={"thinking": False},
            ),
        ),
    )
    EXAMPLES = (
        Example(
            "a schema, a system prompt, and the provider's own options overruled by the request's",
            options={"top_k": 40, "min_p": 0.1},
            request={
                "model": "m",
                "messages": [{"role": "user", "content": "Judge."}],
                "params": {"system_prompt": "Be fair.", "stop": ["END"], "options": {"top_k": 1}},
                "response_schema": {"name": "verdict", "json_schema": _SCHEMA},
            },
            path="/v1/chat/completions",
            body={
                "model": "m",
                "messages": [{"role": "system", "content": "Be fair."}, {"role": "user", "content": "Judge."}],
                "stop": ["END"],
                "response_format": {
                    "type": "json_schema",
                    "json_schema": {"name": "verdict", "schema": _SCHEMA, "strict": True},
                },
                "stream": True,
                "stream_options": {"include_usage": True},
                "top_k": 1,
                "min_p": 0.1,
            },
        ),
        Example(
            "not streamed, because the user says so",
            request={
                "model": "m",
                "messages": [{"role": "user", "content": "Hi"}],
                "params": {"options": {"stream": False}},
            },
            path="/v1/chat/completions",
            body={"model": "m", "messages": [{"role": "user", "content": "Hi"}]},
        ),
        Example(
            "streamed without stream_options, where those were refused",
            request={"model": "m", "messages": [{"role": "user", "content": "Hi"}]},
            path="/v1/chat/completions",
            body={"model": "m", "messages": [{"role": "user", "content": "Hi"}], "stream": True},
            abilities=ModelAbilities(streaming=Streaming.ON),
        ),
        Example(
            "JSON mode and the newer name of the limit, where the others were refused",
            request={
                "model": "m",
                "messages": [{"role": "user", "content": "Judge."}],
                "params": {"max_tokens": 9},
                "response_schema": {"name": "verdict", "json_schema": _SCHEMA},
            },
            path="/v1/chat/completions",
            body={
                "model": "m",
                "messages": [{"role": "user", "content": "Judge."}],
                "max_completion_tokens": 9,
                "response_format": {"type": "json_object"},
                "stream": True,
                "stream_options": {"include_usage": True},
            },
            abilities=ModelAbilities(schema=SchemaMode.OBJECT, other_limit=True),
            notes=("asked for JSON mode instead",),
        ),
        Example(
            "no response format at all, where every one was refused",
            request={
                "model": "m",
                "messages": [{"role": "user", "content": "Judge."}],
                "response_schema": {"name": "verdict", "json_schema": _SCHEMA},
            },
            path="/v1/chat/completions",
            body={
                "model": "m",
                "messages": [{"role": "user", "content": "Judge."}],
                "stream": True,
                "stream_options": {"include_usage": True},
            },
            abilities=ModelAbilities(schema=SchemaMode.NONE),
            notes=("was asked in words",),
        ),
    )


PROFILE = Custom()
