"""Export tasks page by page, so that a large export or a slow reader costs the service little."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

from sqlalchemy.ext.asyncio import AsyncEngine

from config_api.collections import store as collection_store
from config_api.tasks import store as task_store
from config_api.tasks.schemas import TaskOut
from config_api.transfer.formats.base import FIELDS, Writing
from config_api.versions import missing

_PAGE = 500


async def require_collection(engine: AsyncEngine, wanted: task_store.TaskFilter) -> None:
    """Raise a 404 problem if the requested collection does not exist. Otherwise the export would be empty, which would
    hide the mistake."""
    if wanted.collection_id is None:
        return
    async with engine.connect() as connection:
        if await collection_store.find_collection(connection, wanted.collection_id) is None:
            raise missing("collection", wanted.collection_id)


async def export(engine: AsyncEngine, writing: Writing, wanted: task_store.TaskFilter) -> AsyncIterator[bytes]:
    """Yield a file of the tasks that match `wanted`, in pieces.

    The tasks are in the order of the collection in `wanted`, or else sorted by task_id; `wanted.sort` is ignored.
    """
    wanted = replace(wanted, sort=None)
    yield writing.opening.encode()
    after, is_first = None, True
    while True:
        async with engine.connect() as connection:
            page = await task_store.list_tasks(connection, wanted, after=after, limit=_PAGE)
        if not page:
            break
        entries = []
        for task, after in page:  # noqa: B007  # the next page begins after the last `after`
            entries.append(writing.entry(_fields(task), is_first))
            is_first = False
        yield "".join(entries).encode()
    yield writing.closing.encode()


def _fields(task: TaskOut) -> dict[str, Any]:
    given = task.model_dump(include={*FIELDS, "pass_"}, by_alias=True)
    return {name: given[name] for name in FIELDS if given[name] not in (None, [], {})}
