"""Request to the orchestrator: choose answers of a run for people to label."""

from typing import Any, ClassVar, Literal
from uuid import UUID

from pydantic import Field

from llmbench.contracts.annotation_words import AnswerPriority
from llmbench.contracts.base import Message, Value

MOST_ANSWERS = 10_000
MOST_NAMED = 500


class AnswerName(Value):
    """The name of an answer of a run: its case, with target and epoch where the case has several answers."""

    case: str = Field(min_length=1, max_length=500)
    target: str | None = Field(default=None, max_length=500)
    epoch: int | None = None


class SampleAnswers(Message):
    """A request to choose answers of the targets in `target_ids`, or of all targets if that is empty.

    With `pairs`, the answers of exactly two targets to the same case are chosen together. The seed decides which of the
    two is shown first. At least the share `audit_share` of the answers is drawn at random. The others are chosen by
    `priority`; without a priority, they are drawn at random too. `named` are answers to look up in addition; they are
    not part of the sample.
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
    named: tuple[AnswerName, ...] = Field(
        default=(), max_length=MOST_NAMED, description="Answers to find by name. They are not part of the sample."
    )

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
    """The item of the run whose answer is labelled. In a pair of answers, `other_item_id` is the item whose answer is
    shown second.

    `is_audit` is true if the answer belongs to the share `SampleAnswers.audit_share`, which is drawn at random.
    """

    item_id: UUID
    other_item_id: UUID | None = None
    is_audit: bool = False


class NamedAnswer(Value):
    """The item with the answer that the request named, or the reason why no single answer has that name."""

    item_id: UUID | None = None
    problem: str | None = None


class AnswersSampled(Value):
    """The orchestrator's reply: the chosen `answers`, and the `total` number of answers or pairs from which they were
    chosen. `found` is false when the run does not exist. `problem` says why nothing could be chosen."""

    found: bool = True
    problem: str | None = None
    run_name: str = ""
    targets: tuple[str, ...] = Field(default=(), description="The labels of the targets, in the order of the run.")
    answers: tuple[ChosenAnswer, ...] = ()
    total: int = Field(default=0, description="The answers, or pairs, among which these were chosen.")
    named: tuple[NamedAnswer, ...] = Field(default=(), description="The named answers, in the order of the request.")
