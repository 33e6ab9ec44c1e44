"""The beginning of an answer that a provider is still streaming, for people who watch it.

The message is sent on core NATS and may be lost. Each message contains the text of the earlier ones, and the finished
answer is in the database.
"""

from typing import Any, ClassVar, Literal
from uuid import UUID

from pydantic import Field

from llmbench.contracts.base import Message

MAX_STREAMED_CHARACTERS = 64_000
"""The longest text of each kind that is streamed. The rest of a longer answer appears when it is finished."""


class AnswerStreamed(Message):
    """The part of the answer to an item that has arrived so far. `content` and `reasoning` are complete from the start
    of the answer, not only the new text."""

    SUBJECT: ClassVar[str] = "ctl.answer.{run_id}"

    type: Literal["llmbench.ctl.answer_streamed.v1"] = "llmbench.ctl.answer_streamed.v1"
    run_id: UUID
    item_id: UUID
    content: str = Field(max_length=MAX_STREAMED_CHARACTERS)
    reasoning: str = Field(default="", max_length=MAX_STREAMED_CHARACTERS)

    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = (
        {
            "type": "llmbench.ctl.answer_streamed.v1",
            "run_id": "0193a000-0000-7000-8000-000000000001",
            "item_id": "0193a000-0000-7000-8000-000000000003",
            "content": "The sum of 17 and 25 is",
            "reasoning": "",
        },
    )
