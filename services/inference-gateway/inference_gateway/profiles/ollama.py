"""Ollama: OpenAI's dialect until a native option is set, which only `/api/chat` honours.

Its OpenAI-compatible endpoint drops `num_ctx`, `keep_alive` and `think` in silence.
"""

from typing import Any

from inference_gateway.domain.http_call import Dialect, HttpCall, Streaming
from inference_gateway.profiles.base import (
    Example,
    Profile,
    asked_streaming,
    chat_messages,
    chosen_options,
    inference_url,
)
from llmbench.contracts.chat import ChatRequest
from llmbench.contracts.provider import ProviderSnapshot, ProviderType

_TOP_LEVEL = frozenset({"keep_alive", "think", "format", "options", "tools", "logprobs", "top_logprobs"})
_NATIVE = frozenset({"keep_alive", "think", "options", "format"}) | frozenset(
    """num_ctx num_keep num_predict num_batch num_gpu num_thread main_gpu use_mmap use_mlock numa low_vram top_k min_p
    typical_p tfs_z repeat_last_n repeat_penalty penalize_newline mirostat mirostat_eta mirostat_tau""".split()  # noqa: SIM905
)


class Ollama(Profile):
    type = ProviderType.OLLAMA
    unloads = True

    def completion(self, provider: ProviderSnapshot, request: ChatRequest, streaming: Streaming) -> HttpCall:
        options = chosen_options(provider, request)
        if _NATIVE.isdisjoint(options):
            return super().completion(provider, request, streaming)
        streaming = asked_streaming(options, streaming)
        top = {name: options.pop(name) for name in _TOP_LEVEL & options.keys()}
        body: dict[str, Any] = {
            "model": request.model,
            "messages": chat_messages(request),
            "stream": streaming is not Streaming.OFF,
            "options": {**self._native_sampling(request), **(top.pop("options", None) or {}), **options},
        }
        if request.response_schema is not None:
            body["format"] = request.response_schema.json_schema
        return HttpCall(_native_url(provider, "/api/chat"), body | top, dialect=Dialect.OLLAMA, streaming=streaming)

    def _native_sampling(self, request: ChatRequest) -> dict[str, Any]:
        sampling = self.sampling(request)
        if "max_tokens" in sampling:
            sampling["num_predict"] = sampling.pop("max_tokens")
        return sampling

    def unload(self, provider: ProviderSnapshot, model: str) -> HttpCall | None:
        return HttpCall(_native_url(provider, "/api/generate"), {"model": model, "keep_alive": 0})

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
    )


def _native_url(provider: ProviderSnapshot, path: str) -> str:
    """The native API lies beside `/v1`, also when the base URL was given with it."""
    root = provider.base_url.rstrip("/").removesuffix("/v1")
    return inference_url(provider.model_copy(update={"base_url": root}), path)


PROFILE = Ollama()
