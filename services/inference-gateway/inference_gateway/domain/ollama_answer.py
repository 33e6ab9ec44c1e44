"""Read Ollama's native `/api/chat`: lines of JSON, the last of which has the token counts."""

from typing import Any

from inference_gateway.domain.content import content_of, text_of
from inference_gateway.domain.draft import Draft, NotACompletion, count_of, error_of
from llmbench.contracts.outcome import Usage

_META = ("total_duration", "load_duration", "prompt_eval_duration", "eval_duration")


def read_chunk(draft: Draft, value: Any, at_s: float) -> None:
    """Add one line of a streamed answer, or the error that it reports, to `draft`. Raises `NotACompletion` if `value`
    has another shape."""
    _read(draft, value, at_s)


def read_complete(draft: Draft, value: Any) -> None:
    """Add a complete, unstreamed answer to `draft`, or the error that it reports. Raises `NotACompletion` if `value`
    has another shape."""
    _read(draft, value, None)
    if draft.error is None and not draft.has_choices:
        raise NotACompletion("the JSON has no message")


def _read(draft: Draft, value: Any, at_s: float | None) -> None:
    if not isinstance(value, dict):
        raise NotACompletion("the JSON is not an object")
    draft.error = draft.error or error_of(value.get("error"))
    message = value.get("message")
    if isinstance(message, dict):
        draft.has_choices = True
        draft.add_content(content_of(message.get("content")), reasoning=text_of(message.get("thinking")), at_s=at_s)
        if calls := message.get("tool_calls"):
            draft.calls.add(calls)
            draft.saw_answer(at_s)
    draft.add_tokens(value.get("logprobs"))
    if isinstance(value.get("model"), str):
        draft.model = value["model"]
    if value.get("done") is True:
        draft.finished = True
        draft.finish_reason = str(value.get("done_reason") or "stop")
        draft.meta.update({name: value[name] for name in _META if name in value})
        counted = (count_of(value.get("prompt_eval_count")), count_of(value.get("eval_count")))
        if counted != (None, None):
            draft.usage = Usage(prompt_tokens=counted[0], completion_tokens=counted[1])
