"""Reads OpenAI's chat completions, streamed or whole, with the extras of its imitators."""

from typing import Any

from inference_gateway.domain.draft import Draft, NotACompletion, count_of, error_of, text_of
from llmbench.contracts.outcome import Usage

_META = ("id", "system_fingerprint", "service_tier", "provider", "timings")


def read_chunk(draft: Draft, value: Any, at_s: float) -> None:
    """One event of a stream. Raises `NotACompletion`."""
    _read(draft, value, part="delta", at_s=at_s)


def read_whole(draft: Draft, value: Any) -> None:
    """An answer that was not streamed. Raises `NotACompletion`."""
    _read(draft, value, part="message", at_s=None)
    if draft.error is None and not draft.has_choices:
        raise NotACompletion("the JSON has no choices")
    draft.finished = True


def _read(draft: Draft, value: Any, *, part: str, at_s: float | None) -> None:
    if not isinstance(value, dict):
        raise NotACompletion("the JSON is no object")
    draft.error = draft.error or error_of(value.get("error"))
    if isinstance(value.get("model"), str):
        draft.model = value["model"]
    draft.meta.update({name: value[name] for name in _META if value.get(name) is not None})
    draft.usage = _usage(value.get("usage")) or draft.usage
    choices = value.get("choices") or []
    if not isinstance(choices, list):
        raise NotACompletion("its choices are no list")
    # One answer is asked for; a further choice would be another answer.
    for choice in choices[:1]:
        if not isinstance(choice, dict):
            raise NotACompletion("its choice is no object")
        draft.has_choices = True
        _read_message(draft, choice.get(part) or choice.get("message") or {}, at_s)
        if choice.get("finish_reason"):
            draft.finish_reason = str(choice["finish_reason"])
            draft.finished = True


def _read_message(draft: Draft, message: Any, at_s: float | None) -> None:
    if not isinstance(message, dict):
        raise NotACompletion("its message is no object")
    # `reasoning_content`: DeepSeek, vLLM, llama.cpp, LM Studio; `reasoning`: OpenRouter, Ollama.
    draft.add(
        content=text_of(message.get("content")),
        reasoning=text_of(message.get("reasoning_content")) or text_of(message.get("reasoning")),
        refusal=text_of(message.get("refusal")),
        at_s=at_s,
    )
    if at_s is not None and message.get("tool_calls"):
        draft.saw_token(at_s)


def _usage(value: Any) -> Usage | None:
    if not isinstance(value, dict):
        return None
    details = value.get("completion_tokens_details")
    usage = Usage(
        prompt_tokens=count_of(value.get("prompt_tokens")),
        completion_tokens=count_of(value.get("completion_tokens")),
        reasoning_tokens=count_of(details.get("reasoning_tokens")) if isinstance(details, dict) else None,
    )
    return usage if usage.completion_tokens is not None or usage.prompt_tokens is not None else None
