"""Insert the rows that a run needs: a provider, tasks and a collection."""

from typing import Any
from uuid import UUID

from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncEngine

from llmbench.db import tables as t
from llmbench.ids import DEFAULT_ORG_ID, new_id


async def seed(engine: AsyncEngine, tasks: int, *, org_id: UUID = DEFAULT_ORG_ID) -> tuple[UUID, UUID]:
    """Insert a provider, `tasks` tasks, and a collection of them. Return the ids of provider and collection."""
    provider_id, collection_id = new_id(), new_id()
    task_rows = [
        {
            "id": new_id(),
            "org_id": org_id,
            "task_id": f"task-{index}",
            "category": "arithmetic",
            "question": f"What is {index} + 1?",
            "excellent": f"{index + 1}",
            "pass": "a number",
        }
        for index in range(tasks)
    ]
    async with engine.begin() as connection:
        await connection.execute(insert(t.provider).values(provider_row(provider_id, "Mock", org_id=org_id)))
        await connection.execute(insert(t.collection).values(id=collection_id, org_id=org_id, name="Sums"))
        await connection.execute(insert(t.task), task_rows)
        await connection.execute(
            insert(t.collection_task),
            [{"collection_id": collection_id, "task_id": row["id"], "org_id": org_id} for row in task_rows],
        )
    return provider_id, collection_id


def provider_row(id_: UUID, name: str, *, org_id: UUID = DEFAULT_ORG_ID) -> dict[str, Any]:
    return {
        "id": id_,
        "org_id": org_id,
        "name": name,
        "type": "CUSTOM_OPEN_AI_COMPATIBLE",
        "base_url": "http://mock",
        "models_endpoint": "/v1/models",
        "inference_endpoint": "/v1/chat/completions",
    }
