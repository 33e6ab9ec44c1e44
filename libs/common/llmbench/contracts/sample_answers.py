"""Request to the orchestrator: choose answers of a run for people to label."""

from typing import Any, ClassVar, Literal
from uuid import UUID

from pydantic import Field

from llmbench.contracts.annotation_words import AnswerPriority
from llmbench.contracts.base import Message, Value

MOST_ANSWERS = 10_000


class SampleAnswers(Message):
    """A request for answers of these targets, or of all targets if none is named.

    `pairs` asks for the answers of exactly two targets to the same case, side by side, in an order that follows from
    the seed. At least `audit_share` of the answers is drawn at random; the others follow the priority, if there is one.
    """

    SUBJECT: ClassVar[str] = "req.run.answers.sample"

    type: Literal["llmbench.req.sample_answers.v1"] = "llmbench.req.sample_answers.v1"
    run_id: UUID
    target_ids: tuple[UUID, ...] = Field(default=(), max_length=100)
    pairs: bool = False
    size: int | None = Field(default=None, ge=1, le=MOST_ANSWERS)
    priority: AnswerPriority | None = None
    audit_share: float = Field(ge=0, le=1)
    seed: int = Field(ge=0, le=2**31 - 1)

    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = (
        {
            "type": "llmbench.req.sample_answers.v1",
            "run_id": "0193a000-0000-7000-8000-000000000001",
            "size": 100,
            "priority": "pass_mark",
            "audit_share": 0.3,
            "seed": 7,
        },
    )


class ChosenAnswer(Value):
    """The item of the run whose answer is labelled. In a pair, `other_item_id` has the answer that is shown second.

    `is_audit` marks the slice that was drawn at random.
    """

    item_id: UUID
    other_item_id: UUID | None = None
    is_audit: bool = False


class AnswersSampled(Value):
    """The reply. `found` is false when the run does not exist. `problem` says why nothing could be chosen."""

    found: bool = True
    problem: str | None = None
    run_name: str = ""
    targets: tuple[str, ...] = Field(default=(), description="The labels of the targets, in the order of the run.")
    answers: tuple[ChosenAnswer, ...] = ()
    total: int = Field(default=0, description="The answers, or pairs, among which these were chosen.")
