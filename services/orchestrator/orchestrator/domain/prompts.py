"""The requests the orchestrator itself words: a case's question, and the warm-up."""

from collections.abc import Sequence
from dataclasses import dataclass

from llmbench.contracts.case import Case
from llmbench.contracts.chat import ChatMessage, ChatRequest, SamplingParams
from llmbench.contracts.embedding import EmbeddingRequest

WARM_UP_PROMPT = "Hello, World!"
WARM_UP_MAX_TOKENS = 8

MAX_HISTORY_CHARACTERS = 400_000
"""Of the turns before a question together: with them it has to fit into a message."""


@dataclass(frozen=True)
class HadTurn:
    """A turn of a conversation that was had: its case, and what was answered."""

    case: Case
    answer: str


def case_request(case: Case, *, model: str, params: SamplingParams) -> ChatRequest:
    """The same case and target give the same request: items need not keep both. A turn comes with the turns
    before it, see `in_conversation`.

    One system message, the target's words before the case's: several are refused by some models.
    """
    told = "\n\n".join(filter(None, (params.system_prompt, case.system_prompt)))
    system = (ChatMessage(role="system", content=told),) if told else ()
    return ChatRequest(
        model=model,
        messages=(*system, *case.conversation, _asked(case)),
        params=params.model_copy(update={"system_prompt": None, "response_schema": None}),
        response_schema=params.response_schema,
    )


def in_conversation(case: Case, before: Sequence[HadTurn], *, most_turns: int) -> Case:
    """The case with the turns before it as its conversation: the last `most_turns`, and of these the last that have
    `MAX_HISTORY_CHARACTERS` together. Turns are taken whole; a context that the case itself has is sent once."""
    messages: list[ChatMessage] = []
    characters = 0
    for turn in reversed(before[-most_turns:]):
        asked = turn.case.model_copy(update={"context": None}) if turn.case.context == case.context else turn.case
        said = [_asked(asked), ChatMessage(role="assistant", content=turn.answer)]
        characters += sum(len(message.content) for message in said)
        if characters > MAX_HISTORY_CHARACTERS:
            break
        messages = said + messages
    return case.model_copy(update={"conversation": (*case.conversation, *messages)})


def _asked(case: Case) -> ChatMessage:
    asked = f"Context:\n{case.context}\n\nQuestion:\n{case.question}" if case.context else case.question
    return ChatMessage(role="user", content=asked)


def warm_up_embedding(model: str, params: SamplingParams) -> EmbeddingRequest:
    """An embedding model is warmed up by what it does: it cannot write."""
    return EmbeddingRequest(model=model, texts=(WARM_UP_PROMPT,), options=params.options)


def warm_up_request(model: str, params: SamplingParams) -> ChatRequest:
    """Short, and with the options of the first target, so that they force no reload later."""
    return ChatRequest(
        model=model,
        messages=(ChatMessage(role="user", content=WARM_UP_PROMPT),),
        params=SamplingParams(max_tokens=WARM_UP_MAX_TOKENS, options=params.options),
    )
