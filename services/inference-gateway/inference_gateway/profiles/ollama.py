"""Ollama: OpenAI's API unless a native option is set, which only `/api/chat` supports.

Its OpenAI-compatible endpoint silently ignores native options such as `num_ctx`, `keep_alive` and `think`, so any of
them selects the native endpoint. Both endpoints ignore unknown options. An option that llmbench does not know is sent,
and a note with the answer says that Ollama may ignore it.
"""

from dataclasses import replace
from typing import Any

from inference_gateway.domain.http_call import Dialect, HttpCall, SchemaMode, Streaming
from inference_gateway.domain.model_abilities import LIMITS, ModelAbilities
from inference_gateway.domain.signs import Meaning, sign
from inference_gateway.profiles.base import (
    REPEAT_PENALTY,
    SIGNS,
    TOP_K,
    Example,
    NotPossible,
    Profile,
    chat_messages,
    chosen_options,
    inference_url,
    logprobs_notes,
    requested_streaming,
    schema_notes,
)
from llmbench.contracts.chat import ChatRequest
from llmbench.contracts.provider import ProviderSnapshot
from llmbench.contracts.provider_type import OptionInfo, ProviderTypeInfo

_TOP_LEVEL = frozenset({"keep_alive", "think", "format", "options", "tools", "logprobs", "top_logprobs"})
_NATIVE = frozenset({"keep_alive", "think", "options", "format"}) | frozenset(
    """num_ctx num_keep num_predict num_batch num_gpu num_thread main_gpu use_mmap use_mlock numa low_vram top_k min_p
    typical_p tfs_z repeat_last_n repeat_penalty penalize_newline mirostat mirostat_eta mirostat_tau""".split()  # noqa: SIM905
)
_BOTH = frozenset(
    """temperature top_p seed stop frequency_penalty presence_penalty tools logprobs top_logprobs
    stream""".split()  # noqa: SIM905
)
_COMPATIBLE = frozenset(
    """max_tokens max_completion_tokens response_format reasoning_effort reasoning stream_options tool_choice
    logit_bias n user""".split()  # noqa: SIM905
)


class Ollama(Profile):
    info = ProviderTypeInfo(
        type="OLLAMA",
        title="Ollama",
        description="Ollama on this machine or network.",
        position=10,
        base_url="http://127.0.0.1:11434",
        base_url_example="http://127.0.0.1:11434",
        options=(
            OptionInfo(
                name="num_ctx",
                kind="number",
                description="Context window in tokens; another value loads the model anew.",
                example=8192,
            ),
            OptionInfo(
                name="keep_alive",
                kind="text or number",
                description="How long the model stays loaded when idle; -1 for ever.",
                example="10m",
            ),
            OptionInfo(
                name="think",
                kind="boolean or text",
                description="Let a reasoning model think: true, false, low, medium, high.",
                example=False,
            ),
            OptionInfo(name="num_gpu", kind="number", description="Layers on the GPU.", example=99),
            TOP_K,
            REPEAT_PENALTY,
        ),
        quirks=(
            "An option of Ollama's own, such as `num_ctx`, `keep_alive` or `think`, makes the call go to the native "
            "`/api/chat`, because `/v1` would ignore it. Without any, it goes to `/v1/chat/completions`.",
            "Options that only `/v1` has (`reasoning_effort`, `response_format` …) cannot be set together with a "
            "native one.",
            "At the end of its group a model is unloaded.",
        ),
    )
    unloads = True
    signs = (
        sign(
            Meaning.LOADING,
            r"timed out waiting for llama runner to start",
            (500, '{"error": "timed out waiting for llama runner to start - progress 0.47 - "}'),
        ),
        *SIGNS,
    )

    def completion(self, provider: ProviderSnapshot, request: ChatRequest, abilities: ModelAbilities) -> HttpCall:
        options = chosen_options(provider, request)
        native = sorted(_NATIVE & options.keys())
        unknown = sorted(options.keys() - _NATIVE - _BOTH - _COMPATIBLE)
        notes = tuple(f"llmbench does not know the option {name!r} of Ollama, which may ignore it." for name in unknown)
        if not native:
            call = super().completion(provider, request, abilities)
            return replace(call, notes=call.notes + notes)
        if foreign := sorted(_COMPATIBLE & options.keys()):
            raise NotPossible(
                f"Ollama has {', '.join(native)} at its native endpoint alone and {', '.join(foreign)} at /v1 alone: "
                "set one or the other (native are num_predict, format and think)"
            )
        streaming = requested_streaming(options, abilities.streaming)
        top = {name: options.pop(name) for name in _TOP_LEVEL & options.keys()}
        sampling, left_out = self.sampling(request, abilities)
        for limit in LIMITS:
            if limit in sampling:
                sampling["num_predict"] = sampling.pop(limit)
        body: dict[str, Any] = {
            "model": request.model,
            "messages": chat_messages(request),
            "stream": streaming is not Streaming.OFF,
            "options": {**sampling, **(top.pop("options", None) or {}), **options},
        }
        schema = SchemaMode.NONE
        if request.response_schema is not None and "format" not in top:
            schema = abilities.schema
            left_out += schema_notes(schema)
            if schema is not SchemaMode.NONE:
                body["format"] = request.response_schema.json_schema if schema is SchemaMode.STRICT else "json"
        wants = request.top_logprobs is not None and "logprobs" not in top
        left_out += logprobs_notes(wants, abilities)
        if wants and abilities.logprobs:
            body |= {"logprobs": True, "top_logprobs": request.top_logprobs}
        return HttpCall(
            _native_url(provider, "/api/chat"),
            body | top,
            dialect=Dialect.OLLAMA,
            streaming=streaming,
            schema=schema,
            logprobs=wants and abilities.logprobs,
            notes=left_out + notes,
            headers=self.headers,
        )

    def unload(self, provider: ProviderSnapshot, model: str) -> HttpCall | None:
        body = {"model": model, "keep_alive": 0}
        return HttpCall(_native_url(provider, "/api/generate"), body, headers=self.headers)

    EXAMPLES = (
        Example(
            "nothing native: OpenAI's endpoint",
            request={"model": "smollm2:135m", "messages": [{"role": "user", "content": "Hi"}]},
            path="/v1/chat/completions",
            body={
                "model": "smollm2:135m",
                "messages": [{"role": "user", "content": "Hi"}],
                "stream": True,
                "stream_options": {"include_usage": True},
            },
        ),
        Example(
            "num_ctx and think: the native endpoint, with everything in its place",
            request={
                "model": "qwen3:0.6b",
                "messages": [{"role": "user", "content": "Hi"}],
                "params": {
                    "temperature": 0.5,
                    "max_tokens": 16,
                    "options": {"num_ctx": 8192, "think": False, "keep_alive": "10m"},
                },
                "response_schema": {"name": "v", "json_schema": {"type": "object"}},
            },
            path="/api/chat",
            body={
                "model": "qwen3:0.6b",
                "messages": [{"role": "user", "content": "Hi"}],
                "stream": True,
                "format": {"type": "object"},
                "think": False,
                "keep_alive": "10m",
                "options": {"temperature": 0.5, "num_predict": 16, "num_ctx": 8192},
            },
        ),
        Example(
            "an option nobody here knows of is sent, and noted",
            request={
                "model": "m",
                "messages": [{"role": "user", "content": "Hi"}],
                "params": {"options": {"num_ctx": 4096, "num_wings": 2}},
            },
            path="/api/chat",
            body={
                "model": "m",
                "messages": [{"role": "user", "content": "Hi"}],
                "stream": True,
                "options": {"num_ctx": 4096, "num_wings": 2},
            },
            notes=("'num_wings'",),
        ),
    )


def _native_url(provider: ProviderSnapshot, path: str) -> str:
    """Return a URL of the native API, which has no `/v1`, even if the base URL includes it."""
    root = provider.base_url.rstrip("/").removesuffix("/v1")
    return inference_url(provider.model_copy(update={"base_url": root}), path)


PROFILE = Ollama()
