"""Convert a list of chat messages into system prompt, earlier turns, question and answer.

Roles are OpenAI's or ShareGPT's (`from`: `human`, `gpt`). `developer` is treated as `system`. A system message named
`example_user` or `example_assistant` is a turn of an example.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

_ROLES: Final = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "gpt": "assistant",
    "model": "assistant",
}
_EXAMPLES: Final = {"example_user": "user", "example_assistant": "assistant"}


@dataclass(frozen=True)
class Chat:
    """The parts of a chat: `prompt` is the last message of the user, and `conversation` the turns before it.

    `answer` is the assistant's message after the prompt, `None` if there is none.
    """

    system_prompt: str | None
    conversation: tuple[dict[str, str], ...]
    prompt: str
    answer: str | None = None


def is_chat(value: object) -> bool:
    """Return whether the value is a list of one or more objects that each have the field `role` or `from`."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(message, dict) and ("role" in message or "from" in message) for message in value)
    )


def split_chat(messages: Sequence[Any]) -> Chat:
    """Split a list of chat messages into their parts.

    Raises `ValueError` for a message that a case cannot represent. Raises it also if the last message, or the one
    before a final answer, is not the user's.
    """
    system: list[str] = []
    turns: list[dict[str, str]] = []
    for number, message in enumerate(messages, start=1):
        role, text = _message(message, number)
        if role == "system" and not turns:
            system.append(text)
        elif role == "system":
            raise ValueError(f"message {number} is a system message behind the first turn, which a case cannot hold")
        else:
            turns.append({"role": role, "content": text})
    answer = turns.pop()["content"] if turns and turns[-1]["role"] == "assistant" else None
    if not turns or turns[-1]["role"] != "user":
        raise ValueError("no message of the user comes last: there is no question")
    prompt = turns.pop()["content"]
    return Chat("\n\n".join(system) or None, tuple(turns), prompt, answer)


def _message(message: Any, number: int) -> tuple[str, str]:
    if not isinstance(message, dict):
        raise ValueError(f"message {number} is not an object with role and content")
    given_role = str(message.get("role", message.get("from", "")))
    role = _ROLES.get(given_role.lower())
    if role is None:
        raise ValueError(f"message {number} has the role {given_role[:40]!r}; there are system, user and assistant")
    if role == "system":
        role = _EXAMPLES.get(str(message.get("name")), role)
    text = _text(message.get("content", message.get("value")))
    if text is None or not text.strip():
        raise ValueError(f"message {number} has no text as its content")
    return role, text


def _text(content: Any) -> str | None:
    """Return the text of a message's content, which may be a list of text parts; `None` for anything else."""
    if isinstance(content, list) and content:
        parts = [
            part.get("text") if isinstance(part, dict) and part.get("type") == "text" else None for part in content
        ]
        texts = [part for part in parts if isinstance(part, str)]
        return "".join(texts) if len(texts) == len(parts) else None
    return content if isinstance(content, str) else None
