"""Define the bodies and responses of `/api/tasks`."""

from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from config_api.bodies import MAX_TEXT_CHARACTERS, Input, Name, OptionalName, OptionalText, Resource, Text
from llmbench.files.cases import Checks, Turn, written_checks
from llmbench.files.values import require_storable, storable
from llmbench.http.created_by import CreatedBy

MAX_DELETED_AT_ONCE = 10_000
TaskSort = Literal[
    "task_id", "-task_id", "category", "-category", "created_at", "-created_at", "updated_at", "-updated_at"
]


MAX_ACCEPTED_ANSWERS = 1_000


def _none_is_empty(value: object) -> object:
    return [] if value is None else value


def _storable_turns(turns: list[Turn]) -> list[Turn]:
    require_storable([turn.content for turn in turns], most=MAX_TEXT_CHARACTERS)
    return turns


AcceptedAnswers = Annotated[
    list[Text],
    Field(max_length=MAX_ACCEPTED_ANSWERS, description="All right answers: evaluators compare with each."),
    BeforeValidator(_none_is_empty),
]
Conversation = Annotated[
    list[Turn],
    Field(max_length=200, description="The fixed turns before the question."),
    AfterValidator(_storable_turns),
    BeforeValidator(_none_is_empty),
]
TaskMetadata = Annotated[
    dict[str, Any], BeforeValidator(lambda value: {} if value is None else value), AfterValidator(storable)
]


class TaskIn(Input):
    """The request body that creates or replaces a task. `task_id` is the user's own name for the task.

    `excellent`, `good` and `pass` describe an answer of that grade; `incorrect_answer_direction` describes typical
    wrong answers.
    """

    task_id: Name
    category: Name
    subcategory: OptionalName = None
    question: Text
    excellent: OptionalText = None
    good: OptionalText = None
    # `pass` is a keyword of Python, so the attribute is `pass_`; the field of the API is `pass`.
    pass_: OptionalText = Field(default=None, alias="pass")
    incorrect_answer_direction: OptionalText = None
    system_prompt: OptionalText = None
    conversation: Conversation = Field(default_factory=list)
    accepted_answers: AcceptedAnswers = Field(default_factory=list)
    metadata: TaskMetadata = Field(default_factory=dict)
    checks: Checks = Field(default_factory=list)

    def stored(self) -> dict[str, Any]:
        """Return the values for the columns of the table `task`."""
        values = self.model_dump(by_alias=True, exclude={"checks"})
        return {**values, "checks": written_checks(self.checks)}


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
    system_prompt: str | None
    conversation: list[dict[str, Any]]
    accepted_answers: list[str]
    metadata: dict[str, Any]
    checks: list[dict[str, Any]] = Field(description="kind, params, weight, negate; defaults are omitted.")
    source_file: str | None = Field(description="The file it was imported from.")
    source_line: int | None = Field(description="The line of that file on which it starts.")
    collection_count: int
    created_by: CreatedBy = None


class TaskPage(BaseModel):
    items: list[TaskOut]
    next_cursor: str | None


class Subcategory(BaseModel):
    """A subcategory with the number of its tasks. The name is null for tasks without a subcategory."""

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
    deleted: int = Field(description="The number of ids that were tasks.")
