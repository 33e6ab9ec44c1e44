"""Read and change tasks. A change and its event commit in the same transaction."""

from collections.abc import Sequence
from typing import Literal
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from config_api import paging
from config_api.bodies import now
from config_api.checks import CheckService
from config_api.conflicts import unique
from config_api.tasks import store
from config_api.tasks.schemas import Categories, TaskIn, TaskOut, TaskPage
from config_api.versions import missing, require_match
from llmbench.contracts.task_changed import TaskChanged
from llmbench.db.tables import config_outbox
from llmbench.files.cases import written_checks
from llmbench.messaging.outbox import put


class TaskService:
    def __init__(self, engine: AsyncEngine, checks: CheckService) -> None:
        self._engine = engine
        self._checks = checks

    async def list(self, wanted: store.TaskFilter, *, cursor: str | None, limit: int) -> TaskPage:
        after = paging.decode(cursor, order=store.order_of(wanted)) if cursor else None
        async with self._engine.connect() as connection:
            # Read one row more than requested: it shows that there is a next page.
            rows = await store.list_tasks(connection, wanted, after=after, limit=limit + 1)
        page = rows[:limit]
        more = len(rows) > limit
        return TaskPage(items=[task for task, _ in page], next_cursor=paging.encode(page[-1][1]) if more else None)

    async def create(self, body: TaskIn) -> TaskOut:
        await self._checks.require(written_checks(body.checks))
        with unique(store.UNIQUE_TASK_ID, what="task", field="task_id", value=body.task_id):
            async with self._engine.begin() as connection:
                task = await store.insert_task(connection, body)
                await publish_change(connection, change="created", tasks=[(task.id, task.task_id)])
        return task

    async def get(self, id_: UUID) -> TaskOut:
        async with self._engine.connect() as connection:
            task = await store.find_task(connection, id_)
        if task is None:
            raise missing("task", id_)
        return task

    async def replace(self, id_: UUID, body: TaskIn, *, if_match: str | None) -> TaskOut:
        await self._checks.require(written_checks(body.checks))
        with unique(store.UNIQUE_TASK_ID, what="task", field="task_id", value=body.task_id):
            async with self._engine.begin() as connection:
                before = await store.find_task(connection, id_, lock=True)
                if before is None:
                    raise missing("task", id_)
                require_match(if_match, before.version)
                task = await store.update_task(connection, id_, body)
                await publish_change(connection, change="updated", tasks=[(task.id, task.task_id)])
        return task

    async def delete(self, id_: UUID) -> None:
        """Delete the task. Runs that used it keep their own copy. Raises a 404 problem if it does not exist."""
        async with self._engine.begin() as connection:
            deleted = await store.delete_tasks(connection, [id_])
            if not deleted:
                raise missing("task", id_)
            await publish_change(connection, change="deleted", tasks=deleted)

    async def delete_many(self, ids: Sequence[UUID]) -> int:
        """Delete the tasks `ids`, and return how many existed. Unknown ids are ignored."""
        async with self._engine.begin() as connection:
            deleted = await store.delete_tasks(connection, ids)
            await publish_change(connection, change="deleted", tasks=deleted)
        return len(deleted)

    async def categories(self) -> Categories:
        async with self._engine.connect() as connection:
            return Categories(items=await store.list_categories(connection))


async def publish_change(
    connection: AsyncConnection,
    *,
    change: Literal["created", "updated", "deleted"],
    tasks: Sequence[tuple[UUID, str]],
) -> None:
    """Put one event per task into the outbox, in the caller's transaction. `tasks` has pairs of `id` (ours) and
    `task_id` (the user's name)."""
    at = now()
    await put(connection, config_outbox, [TaskChanged(change=change, id=id_, name=name, at=at) for id_, name in tasks])
