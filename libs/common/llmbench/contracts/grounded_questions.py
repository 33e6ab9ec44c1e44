"""Questions that a model makes from a document: what it is asked for, and what of its answer holds.

Config-api words the request (a chunk of a document is a case of a run), the judge says which conversations hold (the
evaluator of this kind), the orchestrator's export writes those as test cases.
"""

from typing import Any, Final

from pydantic import Field

from llmbench.contracts.base import Value

KIND: Final = "grounded_questions"
MAX_CONVERSATIONS: Final = 20
MAX_TURNS: Final = 10
MAX_CHARACTERS: Final = 1_000
"""Of a question, an answer, a passage: longer ones are no quotation any more."""
_ASKED_CHARACTERS: Final = 600
"""Bounded by the schema, so that a small model cannot run on until its token limit."""


class PageStart(Value):
    """The page of the document that begins at this character of the chunk."""

    page: int
    start: int


class Chunk(Value):
    """Where a case's context comes from: its metadata."""

    document_id: str
    document: str
    pages: tuple[PageStart, ...] = ()


class GroundedTurn(Value):
    """`passage` is the document's own text, its lines joined; `page` is where it begins, where that is known."""

    question: str
    ground_truth: str
    passage: str
    page: int | None = None


class GroundedConversation(Value):
    turns: tuple[GroundedTurn, ...]


class RefusedConversation(Value):
    """`number` counts the answer's conversations from 1."""

    number: int
    reason: str


class GroundedQuestions(Value):
    """The details of a score of this kind."""

    accepted: tuple[GroundedConversation, ...] = ()
    refused: tuple[RefusedConversation, ...] = Field(default=(), description="The others, with why.")


def response_schema(*, conversations: int, turns: int) -> dict[str, Any]:
    """At most so many conversations of at most so many turns. The passage first: what is quoted is then asked about."""
    texts = {
        "passage": "The words of the extract that the answer rests on, copied exactly.",
        "question": "What a reader of the document might ask. Understandable without seeing the extract.",
        "ground_truth": "The complete answer, from the extract alone.",
    }
    turn = {
        "type": "object",
        "properties": {
            name: {"type": "string", "description": said, "minLength": 1, "maxLength": _ASKED_CHARACTERS}
            for name, said in texts.items()
        },
        "required": list(texts),
        "additionalProperties": False,
    }
    return _of_lists("conversations", _of_lists("turns", turn, most=turns), most=conversations)


def _of_lists(name: str, entry: dict[str, Any], *, most: int) -> dict[str, Any]:
    """An object with one list of 1 to `most` entries."""
    return {
        "type": "object",
        "properties": {name: {"type": "array", "items": entry, "minItems": 1, "maxItems": most}},
        "required": [name],
        "additionalProperties": False,
    }
