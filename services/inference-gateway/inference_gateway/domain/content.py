"""Read a message's `content` in the forms that providers send: a text, a list of parts, a number, an object, null."""

from dataclasses import dataclass, field
from typing import Any

from inference_gateway.domain.json_of import to_json

_TEXTS = ("text", "output_text", "input_text")
_REASONING = ("thinking", "reasoning", "reasoning_text", "redacted_thinking")
_CALLS = ("tool_use", "tool_call", "function_call")
_MEDIA = {"image": "an image", "audio": "audio", "video": "a video", "file": "a file"}


@dataclass
class Content:
    """A message's content, converted to text. `media` names the kinds of media in it, such as "an image".

    If `as_json` is true, the content was neither a text nor a list of known parts, and `text` is its JSON.
    """

    text: str = ""
    reasoning: str = ""
    refusal: str = ""
    calls: list[dict[str, Any]] = field(default_factory=list)
    media: list[str] = field(default_factory=list)
    as_json: bool = False


def content_of(value: object) -> Content:
    """Convert a message's content of any form to text; never raise.

    A part of a known type, or a list with at least one such part, becomes the texts of its parts. Null, an empty list
    and an empty object become an empty content. Every other value that is not a text becomes JSON.
    """
    if value is None or value == [] or value == {}:
        return Content()
    if isinstance(value, str):
        return Content(text=value)
    parts = [value] if _is_part(value) else value
    if not isinstance(parts, list) or not any(map(_is_part, parts)):
        return Content(text=to_json(value), as_json=True)
    content = Content()
    for part in parts:
        _take(content, part)
    return content


def text_of(value: object) -> str:
    """Return the text of `value`; the texts of all its parts are joined, whatever their kind.

    `value` is a message's reasoning or refusal. Providers send reasoning and refusals in the same forms as the
    message's content: a text, a list of parts, and others.
    """
    if value is None or isinstance(value, str):
        return value or ""
    content = content_of(value)
    return content.text + content.reasoning + content.refusal


def media_of(message: dict[str, Any]) -> tuple[str, list[str]]:
    """Return the transcript and the kinds of media in a message's fields `audio` and `images`."""
    transcript, kinds = "", []
    audio = message.get("audio")
    if isinstance(audio, dict) and audio:
        transcript = audio["transcript"] if isinstance(audio.get("transcript"), str) else ""
        kinds.append(_MEDIA["audio"])
    images = message.get("images")
    if isinstance(images, list) and images:
        kinds.append(_MEDIA["image"])
    return transcript, kinds


def _is_part(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    kind = value.get("type")
    known = isinstance(kind, str) and (kind in (*_TEXTS, *_REASONING, *_CALLS, "refusal") or _media(kind) is not None)
    return known or (set(value) <= {"type", "text", "annotations", "index"} and isinstance(value.get("text"), str))


def _take(content: Content, part: object) -> None:
    if isinstance(part, str):
        content.text += part
    if not isinstance(part, dict):
        return
    kind = str(part.get("type", "text"))
    if kind in _REASONING:
        content.reasoning += _first_text(part, "thinking", "reasoning", "text", "content", "summary")
    elif kind == "refusal":
        content.refusal += _first_text(part, "refusal", "text")
    elif kind in _CALLS:
        content.calls.append(part)
    elif (medium := _media(kind)) is not None:
        content.media.append(medium)
        content.text += _first_text(part, "transcript") or _first_text(part.get(kind), "transcript")
    else:
        content.text += _first_text(part, "text")


def _first_text(part: object, *names: str) -> str:
    if not isinstance(part, dict):
        return ""
    value = next((part[name] for name in names if part.get(name)), None)
    if isinstance(value, dict):
        # OpenAI's Assistants API sends `text: {value: …}`.
        value = value.get("value", value.get("text"))
    if isinstance(value, list):
        return "".join(part if isinstance(part, str) else _first_text(part, "text", "summary") for part in value)
    return value if isinstance(value, str) else ""


def _media(kind: str) -> str | None:
    return next((word for name, word in _MEDIA.items() if name in kind.split("_")), None)
