"""A case: the snapshot of a task that an item keeps, whatever becomes of the task."""

from uuid import UUID

from pydantic import ConfigDict, Field

from llmbench.contracts.base import Value


class Case(Value):
    """`id` is the task's UUID at the time of the run; `task_id` is the user's own name for it.

    `pass` is the word of the API and a keyword of Python: the attribute is `pass_`.
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
