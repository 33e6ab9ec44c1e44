"""What `/api/tasks` takes and gives."""

from pydantic import BaseModel, ConfigDict, Field

from config_api.bodies import Input, Name, OptionalName, OptionalText, Resource, Text


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


class TaskPage(BaseModel):
    items: list[TaskOut]
    next_cursor: str | None
