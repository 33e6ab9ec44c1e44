"""Define the endpoints of `/api/prompts`."""

from typing import Annotated
from uuid import UUID

from fastapi import Depends, Path, Query, Request, Response

from config_api import state
from config_api.bodies import Search
from config_api.paging import CursorText, Limit
from config_api.problems import CHANGED, INVALID, MISSING, TAKEN, answers
from config_api.prompts.schemas import (
    PreviewIn,
    PreviewOut,
    PromptChange,
    PromptIn,
    PromptOut,
    PromptPage,
    PromptVersionIn,
    PromptVersionOut,
    PromptVersionPage,
)
from config_api.prompts.service import PromptService
from config_api.versions import IfMatch, show_created, show_version
from llmbench.access import Resource, Verb
from llmbench.http.service_router import ServiceRouter, needs

PATH = "/api/prompts"
router = ServiceRouter(prefix=PATH, tags=["prompts"], resource=Resource.PROMPTS, responses=INVALID)

Number = Annotated[int, Path(ge=1, le=2**31 - 1, description="The number of the version.")]


def _service(request: Request) -> PromptService:
    return PromptService(state.engine(request))


Service = Annotated[PromptService, Depends(_service)]


@router.get("")
async def list_prompts(
    service: Service,
    limit: Limit = 50,
    cursor: CursorText = None,
    q: Annotated[Search | None, Query(description="Searched in the name, ignoring case.")] = None,
    name: Annotated[Search | None, Query(description="Exactly this name.")] = None,
) -> PromptPage:
    """List prompts with their newest versions, sorted by name."""
    return await service.list(q=q, name=name, cursor=cursor, limit=limit)


@router.post("", status_code=201, responses=TAKEN)
async def create_prompt(body: PromptIn, service: Service, response: Response) -> PromptOut:
    """Create a prompt with its first version."""
    prompt = await service.create(body)
    show_created(response, prompt, PATH)
    return prompt


@router.post("/preview", openapi_extra=needs(Verb.READ))
async def preview_prompt(body: PreviewIn, service: Service) -> PreviewOut:
    """Render templates with the first cases of a collection or of a dataset version. Nothing is stored."""
    return await service.preview(body)


@router.get("/{id}", responses=MISSING)
async def get_prompt(id: UUID, service: Service, response: Response) -> PromptOut:
    prompt = await service.get(id)
    show_version(response, prompt)
    return prompt


@router.put("/{id}", responses=MISSING | TAKEN | CHANGED)
async def update_prompt(
    id: UUID, body: PromptChange, service: Service, response: Response, if_match: IfMatch = None
) -> PromptOut:
    """Change name and description. To change the templates, add a version."""
    prompt = await service.replace(id, body, if_match=if_match)
    show_version(response, prompt)
    return prompt


@router.delete("/{id}", status_code=204, responses=MISSING | answers(409, "An open experiment uses it."))
async def delete_prompt(id: UUID, service: Service) -> None:
    """Delete a prompt with all its versions, unless a started experiment uses one of them. Runs keep their own
    copies."""
    await service.delete(id)


@router.get("/{id}/versions", responses=MISSING)
async def list_prompt_versions(
    id: UUID, service: Service, limit: Limit = 50, cursor: CursorText = None
) -> PromptVersionPage:
    """List the versions of a prompt, the newest first."""
    return await service.versions(id, cursor=cursor, limit=limit)


@router.post("/{id}/versions", status_code=201, responses=MISSING | answers(409, "Nothing changed."))
async def add_prompt_version(id: UUID, body: PromptVersionIn, service: Service) -> PromptVersionOut:
    """Add a version. Runs and experiments that use an earlier version keep using it."""
    return await service.add_version(id, body)


@router.get("/{id}/versions/{number}", responses=MISSING)
async def get_prompt_version(id: UUID, number: Number, service: Service) -> PromptVersionOut:
    return await service.version(id, number)
