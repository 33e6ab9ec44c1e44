"""Questions that a model generates from a document: the schema of its answer, and the evaluator's result.

Config-api prepares a run in which each chunk of a document is a case. The judge's evaluator `grounded_questions` keeps
the generated conversations that the document supports. The orchestrator exports them as test cases.
"""

from typing import Any, Final

from pydantic import Field

from llmbench.contracts.base import Value

KIND: Final = "grounded_questions"
MAX_CONVERSATIONS: Final = 20
MAX_TURNS: Final = 10
MAX_CHARACTERS: Final = 1_000
"""The maximum length of a question, an answer or a passage, in characters. A conversation with a longer one is refused.
"""
_SCHEMA_CHARACTERS: Final = 600
"""The maximum length in the response schema. It is lower than `MAX_CHARACTERS`, so that a small model cannot write on
until its token limit."""


class PageStart(Value):
    """The start of a page: the page's number, and the offset in the chunk, in characters, at which the page begins."""

    page: int
    start: int


class Chunk(Value):
    """The origin of a case's context: the document, and where the document's pages start in the chunk. It is stored in
    the case's metadata."""

    document_id: str
    document: str
    pages: tuple[PageStart, ...] = ()


class GroundedTurn(Value):
    """A turn of a conversation: a question, and the answer that the document supports (`ground_truth`).

    `passage` is the text that supports the answer, quoted as the document has it, with its lines joined. `page` is the
    page on which the passage begins, if known.
    """

    question: str
    ground_truth: str
    passage: str
    page: int | None = None


class GroundedConversation(Value):
    turns: tuple[GroundedTurn, ...]


class RefusedConversation(Value):
    """A conversation that was refused, with the reason. `number` is its position in the model's answer, from 1."""

    number: int
    reason: str


class GroundedQuestions(Value):
    """The details of a score by `grounded_questions`. The scored answer lists conversations that a model wrote from a
    document; `accepted` are the valid ones, `refused` the others."""

    accepted: tuple[GroundedConversation, ...] = ()
    refused: tuple[RefusedConversation, ...] = Field(default=(), description="The others, with why.")


def response_schema(*, conversations: int, turns: int) -> dict[str, Any]:
    """Return the JSON Schema of the model's answer: 1 to `conversations` conversations, each of 1 to `turns` turns.

    The passage is the first field, so that the model quotes before it asks about the quotation.
    """
    texts = {
        "passage": "The words of the extract that the answer rests on, copied exactly.",
        "question": "What a reader of the document might ask. Understandable without seeing the extract.",
        "ground_truth": "The complete answer, from the extract alone.",
    }
    turn = {
        "type": "object",
        "properties": {
            name: {"type": "string", "description": text, "minLength": 1, "maxLength": _SCHEMA_CHARACTERS}
            for name, text in texts.items()
        },
        "required": list(texts),
        "additionalProperties": False,
    }
    return _of_lists("conversations", _of_lists("turns", turn, most=turns), most=conversations)


def _of_lists(name: str, entry: dict[str, Any], *, most: int) -> dict[str, Any]:
    """Return the schema of an object with one field, `name`: a list of 1 to `most` entries with the schema `entry`."""
    return {
        "type": "object",
        "properties": {name: {"type": "array", "items": entry, "minItems": 1, "maxItems": most}},
        "required": [name],
        "additionalProperties": False,
    }
