"""What `/api/tasks` takes and gives."""

from typing import Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from config_api.bodies import Input, Name, OptionalName, OptionalText, Resource, Text

MAX_DELETED_AT_ONCE = 10_000
TaskSort = Literal[
    "task_id", "-task_id", "category", "-category", "created_at", "-created_at", "updated_at", "-updated_at"
]


class TaskIn(Input):
    """`task_id` is the user's own name for the task. The references say what an answer of each grade
    looks like; `incorrect_answer_direction` says how wrong answers tend to be wrong."""

    task_id: Name
    category: Name
    subcategory: OptionalName = None
    question: Text
    excellent: OptionalText = None
    good: OptionalText = None
    # A keyword of Python: the attribute is `pass_`, the field of the API is `pass`.
    pass_: OptionalText = Field(default=None, alias="pass")
    incorrect_answer_direction: OptionalText = None


class TaskOut(Resource):
    model_config = ConfigDict(validate_by_alias=True, serialize_by_alias=True)

    task_id: str
    category: str
    subcategory: str | None
    question: str
    excellent: str | None
    good: str | None
    pass_: str | None = Field(alias="pass")
    incorrect_answer_direction: str | None
    source_file: str | None = Field(description="The file it was imported from.")
    source_line: int | None = Field(description="The line of that file on which it starts.")
    collection_count: int


class TaskPage(BaseModel):
    items: list[TaskOut]
    next_cursor: str | None


class Subcategory(BaseModel):
    """`subcategory` is null for the tasks that have none."""

    subcategory: str | None
    task_count: int


class Category(BaseModel):
    category: str
    task_count: int
    subcategories: list[Subcategory]


class Categories(BaseModel):
    items: list[Category]


class DeleteTasks(Input):
    ids: list[UUID] = Field(min_length=1, max_length=MAX_DELETED_AT_ONCE)


class DeletedTasks(BaseModel):
    deleted: int = Field(description="Those of the ids that were tasks.")
