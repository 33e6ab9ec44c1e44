"""Define the endpoints of `/api/tasks`."""

from dataclasses import replace
from typing import Annotated
from uuid import UUID

from fastapi import Depends, Query, Request, Response

from config_api import state
from config_api.paging import CursorText, Limit
from config_api.problems import CHANGED, INVALID, MISSING, TAKEN
from config_api.tasks.filters import Wanted
from config_api.tasks.schemas import Categories, DeletedTasks, DeleteTasks, TaskIn, TaskOut, TaskPage, TaskSort
from config_api.tasks.service import TaskService
from config_api.versions import IfMatch, show_created, show_version
from llmbench.access import Resource, Verb
from llmbench.http.service_router import ServiceRouter, needs

PATH = "/api/tasks"
router = ServiceRouter(prefix=PATH, tags=["tasks"], resource=Resource.TASKS, responses=INVALID)


def _service(request: Request) -> TaskService:
    return TaskService(state.engine(request), state.checks(request))


Service = Annotated[TaskService, Depends(_service)]


@router.get("")
async def list_tasks(
    service: Service,
    wanted: Wanted,
    limit: Limit = 50,
    cursor: CursorText = None,
    sort: Annotated[TaskSort | None, Query(description="Downwards with a leading `-`.")] = None,
) -> TaskPage:
    """List tasks. Without `sort`, they are in the order of the given collection, else sorted by task_id."""
    return await service.list(replace(wanted, sort=sort), cursor=cursor, limit=limit)


@router.get("/categories")
async def list_categories(service: Service) -> Categories:
    """List the categories and subcategories in use, with the number of tasks in each."""
    return await service.categories()


@router.post("/delete", openapi_extra=needs(Verb.DELETE))
async def delete_tasks(body: DeleteTasks, service: Service) -> DeletedTasks:
    """Delete many tasks at once; unknown ids are ignored. Runs keep their own copies."""
    return DeletedTasks(deleted=await service.delete_many(body.ids))


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
    """Replace the entire task. Runs that used it have their own copy."""
    task = await service.replace(id, body, if_match=if_match)
    show_version(response, task)
    return task


@router.delete("/{id}", status_code=204, responses=MISSING)
async def delete_task(id: UUID, service: Service) -> None:
    """Delete a task, also from every collection. Runs that used it keep their own copy."""
    await service.delete(id)
