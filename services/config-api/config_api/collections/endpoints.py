"""Define the endpoints of `/api/collections`."""

from typing import Annotated
from uuid import UUID

from fastapi import Depends, Query, Request, Response

from config_api import state
from config_api.bodies import Search
from config_api.collections.schemas import AssignTasks, CollectionIn, CollectionOut, CollectionPage
from config_api.collections.service import CollectionService
from config_api.paging import CursorText, Limit
from config_api.problems import CHANGED, INVALID, MISSING, TAKEN, answers
from config_api.versions import IfMatch, show_created, show_version
from llmbench.access import Resource
from llmbench.http.service_router import ServiceRouter

PATH = "/api/collections"
router = ServiceRouter(prefix=PATH, tags=["collections"], resource=Resource.COLLECTIONS, responses=INVALID)

_IN_USE = answers(409, "Published suites (`suite_ids`) use it.")


def _service(request: Request) -> CollectionService:
    return CollectionService(state.engine(request))


Service = Annotated[CollectionService, Depends(_service)]


@router.get("")
async def list_collections(
    service: Service,
    limit: Limit = 50,
    cursor: CursorText = None,
    q: Annotated[Search | None, Query(description="Searched in the name, ignoring case.")] = None,
    task_id: Annotated[UUID | None, Query(description="The collections that hold the task with this `id`.")] = None,
) -> CollectionPage:
    """List collections, sorted by name."""
    return await service.list(q=q, task_id=task_id, cursor=cursor, limit=limit)


@router.post("", status_code=201, responses=TAKEN)
async def create_collection(body: CollectionIn, service: Service, response: Response) -> CollectionOut:
    collection = await service.create(body)
    show_created(response, collection, PATH)
    return collection


@router.get("/{id}", responses=MISSING)
async def get_collection(id: UUID, service: Service, response: Response) -> CollectionOut:
    """Return a collection. Its tasks are at `/api/tasks?collection_id=`."""
    collection = await service.get(id)
    show_version(response, collection)
    return collection


@router.put("/{id}", responses=MISSING | TAKEN | CHANGED)
async def update_collection(
    id: UUID, body: CollectionIn, service: Service, response: Response, if_match: IfMatch = None
) -> CollectionOut:
    """Replace a collection's name and description, and its tasks if `task_ids` is given."""
    collection = await service.replace(id, body, if_match=if_match)
    show_version(response, collection)
    return collection


@router.patch("/{id}/tasks", responses=MISSING | CHANGED)
async def assign_tasks(
    id: UUID, body: AssignTasks, service: Service, response: Response, if_match: IfMatch = None
) -> CollectionOut:
    """Append tasks to a collection, and remove other tasks from it. If an id is unknown or in both lists, nothing
    changes (422)."""
    collection = await service.assign(id, body, if_match=if_match)
    show_version(response, collection)
    return collection


@router.delete("/{id}", status_code=204, responses=MISSING | _IN_USE)
async def delete_collection(id: UUID, service: Service) -> None:
    """Delete a collection. Its tasks and the runs that used it stay."""
    await service.delete(id)
