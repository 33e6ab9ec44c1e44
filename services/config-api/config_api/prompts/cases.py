"""Read the first cases of a collection or of a dataset version, with the fields that a template can use."""

from typing import Any
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.contracts.case import Case
from llmbench.db.tables import collection_task, dataset, dataset_version, task, test_case


async def first_of_collection(connection: AsyncConnection, collection_id: UUID, limit: int) -> list[Case]:
    query = (
        select(task.c.id, task.c.task_id, task.c.category, task.c.subcategory, task.c.question, task.c.metadata)
        .join(collection_task, collection_task.c.task_id == task.c.id)
        .where(collection_task.c.collection_id == collection_id)
        .order_by(collection_task.c.position)
        .limit(limit)
    )
    return [Case.model_validate(dict(row)) for row in (await connection.execute(query)).mappings()]


async def first_of_version(connection: AsyncConnection, version_id: UUID, limit: int) -> list[Case]:
    """Return the first `limit` cases. A case's category comes from its metadata or, if there is none, is the dataset's
    name, as in a run."""
    said = func.nullif(func.left(test_case.c.metadata["category"].astext, 255), "")
    query = (
        select(
            test_case.c.id,
            test_case.c.name.label("task_id"),
            func.coalesce(said, dataset.c.name).label("category"),
            func.nullif(func.left(test_case.c.metadata["subcategory"].astext, 255), "").label("subcategory"),
            test_case.c.input,
            test_case.c.metadata,
        )
        .join(dataset_version, dataset_version.c.id == test_case.c.version_id)
        .join(dataset, dataset.c.id == dataset_version.c.dataset_id)
        .where(test_case.c.version_id == version_id)
        .order_by(test_case.c.row_index)
        .limit(limit)
    )
    return [_case(dict(row)) for row in (await connection.execute(query)).mappings()]


def _case(row: dict[str, Any]) -> Case:
    given = row.pop("input")
    return Case.model_validate(row | {"question": given["prompt"], "context": given.get("context")})
