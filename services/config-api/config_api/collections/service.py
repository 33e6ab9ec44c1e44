"""Read and change collections. A change and its event commit in the same transaction."""

from collections.abc import Sequence
from typing import Literal
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from config_api import paging
from config_api.bodies import now
from config_api.collections import store
from config_api.collections.schemas import AssignTasks, CollectionIn, CollectionOut, CollectionPage
from config_api.conflicts import refuse_in_suites, unique
from config_api.versions import missing, require_match
from llmbench.contracts.collection_changed import CollectionChanged
from llmbench.db.tables import config_outbox
from llmbench.errors import FieldError, Problem
from llmbench.messaging.outbox import put

_MOST_NAMED = 50


class CollectionService:
    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def list(self, *, q: str | None, task_id: UUID | None, cursor: str | None, limit: int) -> CollectionPage:
        after = paging.decode(cursor, order="name") if cursor else None
        async with self._engine.connect() as connection:
            # Read one row more than requested: it shows that there is a next page.
            rows = await store.list_collections(connection, q=q, task_id=task_id, after=after, limit=limit + 1)
        page = rows[:limit]
        last = paging.After("name", page[-1].name) if len(rows) > limit else None
        return CollectionPage(items=page, next_cursor=paging.encode(last) if last else None)

    async def create(self, body: CollectionIn) -> CollectionOut:
        with unique(store.UNIQUE_NAME, what="collection", field="name", value=body.name):
            async with self._engine.begin() as connection:
                await _require_tasks(connection, task_ids=body.task_ids or [])
                id_ = await store.insert_collection(connection, body)
                await store.add_tasks(connection, id_, body.task_ids or [])
                return await publish_change(connection, "created", id_)

    async def get(self, id_: UUID) -> CollectionOut:
        async with self._engine.connect() as connection:
            collection = await store.find_collection(connection, id_)
        if collection is None:
            raise missing("collection", id_)
        return collection

    async def replace(self, id_: UUID, body: CollectionIn, *, if_match: str | None) -> CollectionOut:
        with unique(store.UNIQUE_NAME, what="collection", field="name", value=body.name):
            async with self._engine.begin() as connection:
                await _lock(connection, id_, if_match)
                await store.update_collection(connection, id_, name=body.name, description=body.description)
                if body.task_ids is not None:
                    await _require_tasks(connection, task_ids=body.task_ids)
                    await store.remove_tasks(connection, id_)
                    await store.add_tasks(connection, id_, body.task_ids)
                return await publish_change(connection, "updated", id_)

    async def assign(self, id_: UUID, body: AssignTasks, *, if_match: str | None) -> CollectionOut:
        both = sorted(set(body.assign) & set(body.unassign))
        if both:
            raise _invalid("unassign", "is also to be assigned", both)
        async with self._engine.begin() as connection:
            await _lock(connection, id_, if_match)
            await _require_tasks(connection, assign=body.assign, unassign=body.unassign)
            await store.remove_tasks(connection, id_, body.unassign)
            await store.add_tasks(connection, id_, body.assign)
            await store.update_collection(connection, id_)
            return await publish_change(connection, "updated", id_)

    async def delete(self, id_: UUID) -> None:
        """Delete the collection. Its tasks and the runs that used it stay.

        Raises a 404 problem if the collection does not exist, or a 409 problem if a published suite uses it.
        """
        async with self._engine.begin() as connection:
            await _lock(connection, id_, None)
            await refuse_in_suites(connection, store.in_suites(id_))
            await publish_change(connection, "deleted", id_)
            await store.delete_collection(connection, id_)


async def _lock(connection: AsyncConnection, id_: UUID, if_match: str | None) -> None:
    before = await store.lock_collection(connection, id_)
    if before is None:
        raise missing("collection", id_)
    require_match(if_match, before.version)


async def _require_tasks(connection: AsyncConnection, **fields: Sequence[UUID]) -> None:
    """Lock the tasks against deletion. Raises a 422 problem that names the field and the ids that belong to no task.

    `fields` has the ids of the tasks, by the field of the request that lists them.
    """
    known = await store.hold_tasks(connection, [id_ for ids in fields.values() for id_ in ids])
    for field, ids in fields.items():
        unknown = [id_ for id_ in ids if id_ not in known]
        if unknown:
            raise _invalid(field, "is not a task", unknown)


def _invalid(field: str, fault: str, ids: Sequence[UUID]) -> Problem:
    errors = [FieldError(field, f"{id_} {fault}") for id_ in ids[:_MOST_NAMED]]
    return Problem(
        422,
        "Invalid request",
        f"{field}: {len(ids)} of the ids cannot be used, the first is {ids[0]}, which {fault}.",
        errors=errors,
    )


async def publish_change(
    connection: AsyncConnection, change: Literal["created", "updated", "deleted"], id_: UUID
) -> CollectionOut:
    """Put an event that reports the change into the outbox, in the caller's transaction. Return the collection; for a
    deletion, call this before the row is deleted."""
    collection = await store.find_collection(connection, id_)
    assert collection is not None, "the transaction holds it"
    event = CollectionChanged(change=change, id=id_, name=collection.name, at=now())
    await put(connection, config_outbox, [event])
    return collection
