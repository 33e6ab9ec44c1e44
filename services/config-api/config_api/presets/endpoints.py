"""Define the endpoints of `/api/evaluation-presets`."""

from typing import Annotated
from uuid import UUID

from fastapi import Depends, Query, Request, Response

from config_api import state
from config_api.bodies import Search
from config_api.paging import CursorText, Limit
from config_api.presets.schemas import PresetIn, PresetOut, PresetPage
from config_api.presets.service import PresetService
from config_api.problems import CHANGED, INVALID, MISSING, TAKEN, answers
from config_api.versions import IfMatch, show_created, show_version
from llmbench.access import Resource
from llmbench.http.service_router import ServiceRouter

PATH = "/api/evaluation-presets"
router = ServiceRouter(prefix=PATH, tags=["evaluation presets"], resource=Resource.PRESETS, responses=INVALID)


def _service(request: Request) -> PresetService:
    return PresetService(state.engine(request))


Service = Annotated[PresetService, Depends(_service)]


@router.get("")
async def list_presets(
    service: Service,
    limit: Limit = 50,
    cursor: CursorText = None,
    q: Annotated[Search | None, Query(description="Searched in the name, ignoring case.")] = None,
    name: Annotated[Search | None, Query(description="Exactly this name.")] = None,
) -> PresetPage:
    """List presets, sorted by name."""
    return await service.list(q=q, name=name, cursor=cursor, limit=limit)


@router.post("", status_code=201, responses=TAKEN)
async def create_preset(body: PresetIn, service: Service, response: Response) -> PresetOut:
    preset = await service.create(body)
    show_created(response, preset, PATH)
    return preset


@router.get("/{id}", responses=MISSING)
async def get_preset(id: UUID, service: Service, response: Response) -> PresetOut:
    preset = await service.get(id)
    show_version(response, preset)
    return preset


@router.put("/{id}", responses=MISSING | TAKEN | CHANGED)
async def update_preset(
    id: UUID, body: PresetIn, service: Service, response: Response, if_match: IfMatch = None
) -> PresetOut:
    """Replace the entire preset. Runs keep the values with which they started."""
    preset = await service.replace(id, body, if_match=if_match)
    show_version(response, preset)
    return preset


@router.delete("/{id}", status_code=204, responses=MISSING | answers(409, "The preset has a baseline."))
async def delete_preset(id: UUID, service: Service) -> None:
    """Delete a preset that has no baseline. Runs keep the values with which they started."""
    await service.delete(id)
