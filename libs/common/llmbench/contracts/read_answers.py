"""Request to the orchestrator: read cases and answers of a run, for people to label."""

from typing import Any, ClassVar, Literal
from uuid import UUID

from pydantic import Field

from llmbench.contracts.base import Message, Value

MOST_READ = 200


class ReadAnswers(Message):
    """A request for the answers of these items of a run."""

    SUBJECT: ClassVar[str] = "req.run.answers.read"

    type: Literal["llmbench.req.read_answers.v1"] = "llmbench.req.read_answers.v1"
    run_id: UUID
    item_ids: tuple[UUID, ...] = Field(min_length=1, max_length=MOST_READ)

    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = (
        {
            "type": "llmbench.req.read_answers.v1",
            "run_id": "0193a000-0000-7000-8000-000000000001",
            "item_ids": ["0193a000-0000-7000-8000-000000000002"],
        },
    )


class AnswerOfRun(Value):
    """An answer with its case. `case_id` is the id of the task or test case that the run copied, and `case` is the
    user's own name for it. `target` is the label of the target, and `reference` the expected answer, if there is one.
    """

    item_id: UUID
    case_id: UUID
    case: str
    epoch: int
    target: str
    input: dict[str, Any]
    answer: str
    reference: str | None = None


class AnswersRead(Value):
    """The orchestrator's reply, with as many answers as fit in one message.

    Items that were deleted or have no answer are left out. `left` are the ids of items for which the message had no
    room; config-api requests them again. `too_large` are the ids of items whose answer is too large for any reply.
    """

    answers: tuple[AnswerOfRun, ...] = ()
    left: tuple[UUID, ...] = ()
    too_large: tuple[UUID, ...] = ()
