"""Read OpenAI's chat completions, streamed or not, with the extensions of compatible servers."""

from typing import Any

from inference_gateway.domain.content import Content, content_of, media_of, text_of
from inference_gateway.domain.draft import Draft, NotACompletion, count_of, error_of
from llmbench.contracts.outcome import Usage

_META = ("id", "system_fingerprint", "service_tier", "provider", "timings")


def read_chunk(draft: Draft, value: Any, at_s: float) -> None:
    """Add one event of a streamed answer, or the error that it reports, to `draft`. Raises `NotACompletion` if `value`
    has another shape."""
    _read(draft, value, part="delta", at_s=at_s)


def read_complete(draft: Draft, value: Any) -> None:
    """Add a complete, unstreamed answer to `draft`, or the error that it reports. Raises `NotACompletion` if `value`
    has another shape."""
    _read(draft, value, part="message", at_s=None)
    if draft.error is None and not draft.has_choices:
        raise NotACompletion("the JSON has no choices")
    draft.finished = True


def _read(draft: Draft, value: Any, *, part: str, at_s: float | None) -> None:
    if not isinstance(value, dict):
        raise NotACompletion("the JSON is not an object")
    draft.error = draft.error or error_of(value.get("error"))
    if isinstance(value.get("model"), str):
        draft.model = value["model"]
    for name in _META:
        if (text := value.get(name)) is not None:
            draft.meta[name] = text
    if usage := value.get("usage"):
        draft.usage = usage_of(usage) or draft.usage
        charged = charge_of(usage)
        draft.reported_usd = draft.reported_usd if charged is None else charged
    choices = value.get("choices") or []
    if not isinstance(choices, list):
        raise NotACompletion("its choices are no list")
    # The request asks for one answer, so further choices are ignored.
    for choice in choices[:1]:
        if not isinstance(choice, dict):
            raise NotACompletion("its choice is not an object")
        draft.has_choices = True
        _read_message(draft, choice.get(part) or choice.get("message") or _plain(choice), at_s)
        tokens = choice.get("logprobs")
        draft.add_tokens(tokens.get("content") if isinstance(tokens, dict) else None)
        if choice.get("finish_reason"):
            draft.finish_reason = str(choice["finish_reason"])
            draft.finished = True


def _read_message(draft: Draft, message: Any, at_s: float | None) -> None:
    if not isinstance(message, dict):
        raise NotACompletion("its message is not an object")
    content, reasoning, refusal = message.get("content"), _reasoning(message), text_of(message.get("refusal"))
    if content is None or isinstance(content, str):
        # The fast path: nearly every piece of a stream is a plain text.
        draft.add(content=content or "", reasoning=reasoning, refusal=refusal, at_s=at_s)
    else:
        draft.add_content(content_of(content), reasoning=reasoning, refusal=refusal, at_s=at_s)
    calls, function = message.get("tool_calls"), message.get("function_call")
    if calls or function:
        draft.calls.add(calls)
        draft.calls.add_function(function)
        draft.saw_answer(at_s)
    if message.get("audio") or message.get("images"):
        transcript, media = media_of(message)
        draft.add_content(Content(text=transcript, media=media), at_s=at_s)


def _plain(choice: dict[str, Any]) -> dict[str, Any]:
    """Return the `text` of a choice as a message; an empty message without a text. OpenAI's older completions API sends
    such choices."""
    return {"content": choice["text"]} if isinstance(choice.get("text"), str) else {}


def _reasoning(message: dict[str, Any]) -> str:
    """Return the reasoning, which providers send under different names; empty if there is none.

    DeepSeek, vLLM, llama.cpp and LM Studio use `reasoning_content`, OpenRouter and Ollama `reasoning`. OpenRouter
    repeats it in `reasoning_details`, which are read only if the other fields are empty.
    """
    for name in ("reasoning_content", "reasoning", "thinking"):
        if message.get(name) and (text := text_of(message[name])):
            return text
    details = message.get("reasoning_details")
    return "".join(text_of(_readable(each)) for each in details) if isinstance(details, list) else ""


def _readable(detail: object) -> object:
    """Return the text or summary in an entry of OpenRouter's `reasoning_details`; `None` for an encrypted entry."""
    if not isinstance(detail, dict):
        return None
    return next((detail[name] for name in ("text", "summary") if isinstance(detail.get(name), str)), None)


def usage_of(value: Any) -> Usage | None:
    if not isinstance(value, dict):
        return None
    prompt, completion = count_of(value.get("prompt_tokens")), count_of(value.get("completion_tokens"))
    reasoning = _detail(value, "completion_tokens_details", "reasoning_tokens")
    cached = _detail(value, "prompt_tokens_details", "cached_tokens")
    if cached is None:
        cached = count_of(value.get("prompt_cache_hit_tokens"))  # DeepSeek's name for cached prompt tokens.
    if prompt is None and completion is None:
        return None
    if completion is not None and reasoning:
        # xAI counts reasoning tokens apart from `completion_tokens`; all others include them there.
        is_separate = count_of(value.get("total_tokens")) == (prompt or 0) + completion + reasoning
        completion += reasoning if is_separate else 0
    return Usage(
        prompt_tokens=prompt, completion_tokens=completion, reasoning_tokens=reasoning, cached_prompt_tokens=cached
    )


def _detail(usage: dict[str, Any], part: str, name: str) -> int | None:
    details = usage.get(part)
    return count_of(details.get(name)) if isinstance(details, dict) else None


def charge_of(usage: Any) -> float | None:
    """Return the charge in dollars that OpenRouter reports as `cost`; `None` if it is unknown.

    If the user's own key was used (`is_byok`), `cost` excludes the upstream provider's charge. The result is then the
    sum of both, or `None` if the upstream charge is unknown.
    """
    if not isinstance(usage, dict):
        return None
    charged = _dollars(usage.get("cost"))
    if charged is None or usage.get("is_byok") is not True:
        return charged
    details = usage.get("cost_details")
    upstream = _dollars(details.get("upstream_inference_cost")) if isinstance(details, dict) else None
    return None if upstream is None else charged + upstream


def _dollars(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
