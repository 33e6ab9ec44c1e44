"""Parse the task filters in a request's query, for lists and exports."""

from typing import Annotated
from uuid import UUID

from fastapi import Depends, Query

from config_api.bodies import Search
from config_api.tasks.store import TaskFilter


def _wanted(
    q: Annotated[Search | None, Query(description="Searched in task_id, question and category, ignoring case.")] = None,
    task_id: Annotated[Search | None, Query(description="Exactly this task_id: without items it is free.")] = None,
    category: Annotated[Search | None, Query()] = None,
    subcategory: Annotated[Search | None, Query()] = None,
    collection_id: Annotated[UUID | None, Query(description="The tasks of a collection, in its order.")] = None,
    not_in_collection: Annotated[UUID | None, Query(description="Tasks that are not in this collection.")] = None,
) -> TaskFilter:
    return TaskFilter(
        q=q,
        task_id=task_id,
        category=category,
        subcategory=subcategory,
        collection_id=collection_id,
        not_in_collection=not_in_collection,
    )


Wanted = Annotated[TaskFilter, Depends(_wanted)]
