"""Define the bodies and responses of `/api/collections`. A collection's tasks are at `/api/tasks?collection_id=`."""

from uuid import UUID

from pydantic import BaseModel, Field

from config_api.bodies import Input, Name, OptionalText, Resource
from llmbench.http.created_by import CreatedBy

MAX_TASKS_PER_REQUEST = 100_000
TaskIds = list[UUID]


class CollectionIn(Input):
    """The request body that creates or replaces a collection.

    `task_ids` are the `id`s of the tasks, in the order in which a run asks them. Without `task_ids`, a new collection
    is empty, and an update leaves the tasks unchanged.
    """

    name: Name
    description: OptionalText = None
    task_ids: TaskIds | None = Field(default=None, max_length=MAX_TASKS_PER_REQUEST)


class AssignTasks(Input):
    """The request body that adds tasks to a collection and removes others, by their `id`s.

    Assigning a task that is already in the collection, or unassigning one that is not, has no effect on the list. An id
    in both lists is an error.
    """

    assign: TaskIds = Field(default_factory=list, max_length=MAX_TASKS_PER_REQUEST)
    unassign: TaskIds = Field(default_factory=list, max_length=MAX_TASKS_PER_REQUEST)


class CollectionOut(Resource):
    name: str
    description: str | None
    task_count: int
    created_by: CreatedBy = None


class CollectionPage(BaseModel):
    items: list[CollectionOut]
    next_cursor: str | None
