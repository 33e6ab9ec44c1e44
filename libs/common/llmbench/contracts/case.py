"""A case: the copy of a task or a test case that a run keeps. Later changes of the original do not affect it."""

from typing import Any, Literal
from uuid import UUID

from pydantic import ConfigDict, Field

from llmbench.contracts.base import Value
from llmbench.contracts.chat import ChatMessage
from llmbench.contracts.check import Check


class GroundTruth(Value):
    """The information known to be right about a case: answers, rubric and citations, with their source.

    `confidence` says how certain the information is, from 0 to 1.
    """

    answer: str | None = None
    acceptable_answers: tuple[str, ...] = ()
    rubric: dict[str, Any] | None = None
    citations: tuple[str, ...] = Field(default=(), description="Documents that an answer has to cite.")
    source: Literal["HUMAN_CONSENSUS", "EXPERT", "AUTOMATED", "IMPORTED"] | None = None
    confidence: float | None = Field(default=None, ge=0, le=1)


class Case(Value):
    """A case, as commands carry it. `id` is the UUID of the task or test case that the run copied; `task_id` is the
    user's own name for it.

    The JSON field `pass` is a keyword of Python, so the attribute is `pass_`.
    """

    model_config = ConfigDict(
        frozen=True, extra="ignore", validate_by_name=True, validate_by_alias=True, serialize_by_alias=True
    )

    id: UUID
    task_id: str
    category: str
    subcategory: str | None = None
    question: str
    excellent: str | None = None
    good: str | None = None
    pass_: str | None = Field(default=None, alias="pass")
    incorrect_answer_direction: str | None = None
    system_prompt: str | None = None
    context: str | None = Field(default=None, description="The material that has to support the answer.")
    conversation: tuple[ChatMessage, ...] = Field(default=(), description="Earlier turns, with given answers.")
    conversation_id: str | None = Field(
        default=None,
        description="The live conversation of which the case is one turn. Its earlier turns are cases as well, and are "
        "asked first.",
    )
    turn: int | None = Field(default=None, ge=1, description="The case's place in its conversation, from 1.")
    expected_output: str | None = None
    ground_truth: GroundTruth | None = None
    metadata: dict[str, Any] = Field(default_factory=dict)
    checks: tuple[Check, ...] = Field(default=(), description="What an answer to this case has to satisfy.")
    suite_task: str | None = Field(
        default=None,
        description="The name of the case's task in a run of a suite. `task_id` and `conversation_id` begin with it.",
    )
