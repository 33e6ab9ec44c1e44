"""Define answers that are not plain text, each in a form that some provider uses. README.md lists the flags."""

import json
from dataclasses import dataclass
from typing import Any

REASONING = "Let me think about this."
_CALLS = (("get_weather", {"city": "Paris", "unit": "celsius"}), ("get_time", {"zone": "Europe/Paris"}))


@dataclass(frozen=True)
class Shape:
    """An answer in OpenAI's format that is not plain text. A complete response has `message`, a streamed one `deltas`.

    `finish` is the finish reason.
    """

    message: dict[str, Any]
    deltas: tuple[dict[str, Any], ...]
    finish: str = "stop"


def shape_of(flags: frozenset[str], content: str) -> Shape | None:
    """Return the answer that one of the flags selects. `None` means that none of them does, so the answer is the plain
    text. With the flag `parts`, the answer is a list of parts with the text `content`; other answers ignore it."""
    for flag, shape in _SHAPES.items():
        if flag in flags:
            return shape
    if "parts" in flags:
        return _parts(content)
    return None


def native_shape_of(flags: frozenset[str]) -> dict[str, Any] | None:
    """Return the message that the flags select, in Ollama's native format; `None` for a plain text."""
    if "toolcalls" in flags:
        calls = [{"function": {"name": name, "arguments": arguments}} for name, arguments in _CALLS]
        return {"content": "", "tool_calls": calls}
    return {"content": "", "thinking": REASONING} if "thinkonly" in flags else None


def _calls() -> Shape:
    calls = [
        {"id": f"call_{index}", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
        for index, (name, arguments) in enumerate(_CALLS)
    ]
    deltas: list[dict[str, Any]] = []
    for index, (name, arguments) in enumerate(_CALLS):
        text = json.dumps(arguments)
        begin = {"index": index, "id": f"call_{index}", "type": "function", "function": {"name": name, "arguments": ""}}
        rest = [{"index": index, "function": {"arguments": text[at : at + 7]}} for at in range(0, len(text), 7)]
        deltas += [{"tool_calls": [piece]} for piece in (begin, *rest)]
    return Shape({"role": "assistant", "content": None, "tool_calls": calls}, tuple(deltas), "tool_calls")


def _parts(content: str) -> Shape:
    """Return an answer whose content is a list of parts, like that of Mistral's reasoning models."""
    thought = {"type": "thinking", "thinking": [{"type": "text", "text": REASONING}]}
    parts = [thought, {"type": "text", "text": content}]
    deltas: list[dict[str, Any]] = [{"content": [thought]}]
    deltas += ({"content": [{"type": "text", "text": piece}]} for piece in _halves(content))
    return Shape({"role": "assistant", "content": parts}, tuple(deltas))


def _halves(content: str) -> tuple[str, str]:
    half = len(content) // 2
    return content[:half], content[half:]


_IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
_AUDIO = {"id": "audio_1", "expires_at": 0, "data": "UklGRg==", "transcript": "It is forty-two."}
_SHAPES = {
    "toolcalls": _calls(),
    "thinkonly": Shape(
        {"role": "assistant", "content": None, "reasoning_content": REASONING},
        ({"reasoning_content": "Let me think "}, {"reasoning_content": "about this."}),
        "length",
    ),
    "number": Shape({"role": "assistant", "content": 42}, ({"content": 42},)),
    "object": Shape({"role": "assistant", "content": {"answer": 42}}, ({"content": {"answer": 42}},)),
    "image": Shape({"role": "assistant", "content": "", "images": [_IMAGE]}, ({"content": "", "images": [_IMAGE]},)),
    "audio": Shape({"role": "assistant", "content": None, "audio": _AUDIO}, ({"audio": _AUDIO},)),
    "nothing": Shape({"role": "assistant", "content": None}, ({"content": None},)),
}
