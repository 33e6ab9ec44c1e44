"""Build the requests that the orchestrator sends to the models under test, and the warm-ups."""

import re
import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from llmbench.contracts.case import Case
from llmbench.contracts.chat import ChatMessage, ChatRequest, SamplingParams
from llmbench.contracts.embedding import EmbeddingRequest
from llmbench.contracts.prompt import Prompt
from llmbench.prompt_template import Rendered, render

WARM_UP_PROMPT = "Hello, World!"
WARM_UP_MAX_TOKENS = 8
MOST_CHOICES: Final = 26
_MIN_CHOICE_CHARACTERS: Final = 3
"""The minimum length of choices that are searched for in a question. A shorter choice ("2") can occur there by
chance."""

MAX_HISTORY_CHARACTERS = 400_000
"""The maximum number of characters of all earlier turns of a conversation. Together with the question they have to fit
into one NATS message."""


@dataclass(frozen=True)
class HadTurn:
    """An earlier turn of a conversation, with its case and the answer of the model."""

    case: Case
    answer: str


def case_request(case: Case, *, model: str, params: SamplingParams, prompt: Prompt | None = None) -> ChatRequest:
    """Return the request for a case, with the model, the parameters and the prompt of its target.

    The request has the earlier turns of a conversation only if the caller added them to the case with `in_conversation`
    or `case_as_sent`. The same case and target always give the same request, so items need not store it. The system
    prompts of the target, its prompt and the case are joined in one message, because some models refuse several.

    Raises `PromptError` if the prompt cannot be rendered with the case. A run with such a case is not created.
    """
    rendered = None if prompt is None else render(prompt, case)
    of_prompt = rendered.system if rendered else None
    system_prompt = "\n\n".join(filter(None, (params.system_prompt, of_prompt, case.system_prompt)))
    system = (ChatMessage(role="system", content=system_prompt),) if system_prompt else ()
    return ChatRequest(
        model=model,
        messages=(*system, *case.conversation, _question_message(case, rendered)),
        params=params.model_copy(update={"system_prompt": None, "response_schema": None}),
        response_schema=params.response_schema,
    )


def with_choices(case: Case) -> Case:
    """Return the case with the `choices` of its metadata appended to its question, unless the question already has
    them.

    `choices` has 2 to 26 choices, each a text or a number: as a list, or as an object with a letter per choice. Each
    choice becomes a line that begins with its letter. Choices in any other form are ignored.
    """
    choices = _choices(case.metadata.get("choices"))
    if not choices or _has_choices(case.question, choices):
        return case
    listed = "\n".join(f"{letter}. {text.strip()}" for letter, text in choices.items())
    return case.model_copy(update={"question": f"{case.question.rstrip()}\n\n{listed}"})


def _choices(found: Any) -> dict[str, str]:
    if isinstance(found, list):
        found = dict(zip(string.ascii_uppercase, found, strict=False)) if len(found) <= MOST_CHOICES else {}
    if not isinstance(found, dict) or not all(isinstance(text, str | int | float) for text in found.values()):
        return {}
    named = {str(letter).strip().upper(): str(text) for letter, text in found.items()}
    fits = 1 < len(named) <= MOST_CHOICES and all(len(letter) == 1 and letter.isalpha() for letter in named)
    return named if fits and all(text.strip() for text in named.values()) else {}


def _has_choices(question: str, choices: Mapping[str, str]) -> bool:
    """Return whether the question has a line for each letter, or contains all texts in order. Texts shorter than three
    characters are not searched for."""
    if all(re.search(rf"^\W{{0,4}}{letter}[.):\]]", question, re.MULTILINE) for letter in choices):
        return True
    if any(len(text.strip()) < _MIN_CHOICE_CHARACTERS for text in choices.values()):
        return False
    asked, place = question.casefold(), 0
    for text in choices.values():
        place = asked.find(text.strip().casefold(), place)
        if place < 0:
            return False
        place += len(text.strip())
    return True


def in_conversation(case: Case, before: Sequence[HadTurn], *, most_turns: int, prompt: Prompt | None = None) -> Case:
    """Return the case with its earlier turns appended to its conversation. `before` holds them, the oldest first. With
    a prompt, their questions are rendered with it, as they were sent.

    Only the last `most_turns` (at least 1) are included, and of these the last that fit into `MAX_HISTORY_CHARACTERS`.
    Turns are never split. Without a prompt, the context of an earlier turn is left out if it equals the context of the
    case.
    """
    messages: list[ChatMessage] = []
    characters = 0
    for turn in reversed(before[-most_turns:]):
        if prompt is not None:
            asked = _question_message(turn.case, render(prompt, turn.case))
        else:
            same = turn.case.context == case.context
            asked = _question_message(turn.case.model_copy(update={"context": None}) if same else turn.case, None)
        messages_of_turn = [asked, ChatMessage(role="assistant", content=turn.answer)]
        characters += sum(len(message.content) for message in messages_of_turn)
        if characters > MAX_HISTORY_CHARACTERS:
            break
        messages = messages_of_turn + messages
    return case.model_copy(update={"conversation": (*case.conversation, *messages)})


def case_as_sent(
    case: Case, before: Sequence[HadTurn], *, show_choices: bool, most_turns: int, prompt: Prompt | None = None
) -> Case:
    """Return the case as a run sends it, with its earlier turns (see `in_conversation`). If `show_choices` is true,
    the choices are appended to all questions (see `with_choices`)."""
    if show_choices:
        case = with_choices(case)
        before = [replace(turn, case=with_choices(turn.case)) for turn in before]
    return in_conversation(case, before, most_turns=most_turns, prompt=prompt)


def _question_message(case: Case, rendered: Rendered | None) -> ChatMessage:
    if rendered is not None:
        return ChatMessage(role="user", content=rendered.user)
    asked = f"Context:\n{case.context}\n\nQuestion:\n{case.question}" if case.context else case.question
    return ChatMessage(role="user", content=asked)


def warm_up_embedding(model: str, params: SamplingParams) -> EmbeddingRequest:
    """Return a warm-up that requests a vector, because an embedding model cannot write an answer."""
    return EmbeddingRequest(model=model, texts=(WARM_UP_PROMPT,), options=params.options)


def warm_up_request(model: str, params: SamplingParams) -> ChatRequest:
    """Return a short request with the target's model options: with other options, the first item would reload the
    model."""
    return ChatRequest(
        model=model,
        messages=(ChatMessage(role="user", content=WARM_UP_PROMPT),),
        params=SamplingParams(max_tokens=WARM_UP_MAX_TOKENS, options=params.options),
    )
