"""`/api/tasks` over HTTP."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Query, Request, Response

from config_api.bodies import Search
from config_api.paging import CursorText, Limit
from config_api.problems import CHANGED, INVALID, MISSING, TAKEN
from config_api.tasks.schemas import TaskIn, TaskOut, TaskPage
from config_api.tasks.service import TaskService
from config_api.tasks.store import TaskFilter
from config_api.versions import IfMatch, show_created, show_version

PATH = "/api/tasks"
router = APIRouter(prefix=PATH, tags=["tasks"], responses=INVALID)


def _service(request: Request) -> TaskService:
    service: TaskService = request.app.state.tasks
    return service


Service = Annotated[TaskService, Depends(_service)]


@router.get("")
async def list_tasks(
    service: Service,
    limit: Limit = 50,
    cursor: CursorText = None,
    q: Annotated[Search | None, Query(description="Found in task_id or question, in any case.")] = None,
    category: Annotated[Search | None, Query()] = None,
    collection_id: Annotated[UUID | None, Query(description="The tasks of a collection, in its order.")] = None,
) -> TaskPage:
    """By task_id; in the collection's order when `collection_id` is given."""
    wanted = TaskFilter(q=q, category=category, collection_id=collection_id)
    return await service.list(wanted, cursor=cursor, limit=limit)


@router.post("", status_code=201, responses=TAKEN)
async def create_task(body: TaskIn, service: Service, response: Response) -> TaskOut:
    task = await service.create(body)
    show_created(response, task, PATH)
    return task


@router.get("/{id}", responses=MISSING)
async def get_task(id: UUID, service: Service, response: Response) -> TaskOut:
    task = await service.get(id)
    show_version(response, task)
    return task


@router.put("/{id}", responses=MISSING | TAKEN | CHANGED)
async def update_task(
    id: UUID, body: TaskIn, service: Service, response: Response, if_match: IfMatch = None
) -> TaskOut:
    """Replaces the whole task. Runs that used it keep their own copy."""
    task = await service.replace(id, body, if_match=if_match)
    show_version(response, task)
    return task


@router.delete("/{id}", status_code=204, responses=MISSING)
async def delete_task(id: UUID, service: Service) -> None:
    """Takes the task out of every collection. Runs that used it keep their own copy."""
    await service.delete(id)
