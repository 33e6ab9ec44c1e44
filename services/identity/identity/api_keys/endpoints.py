"""Define the endpoints of `/api/api-keys`."""

from typing import Annotated
from uuid import UUID

from fastapi import Depends

from identity.api_keys.schemas import ApiKeyCreated, ApiKeyIn, ApiKeyOut
from identity.api_keys.service import ApiKeyService
from identity.bodies import Cursor, Limit, Page
from identity.problems import TAKEN
from identity.state import Acting, CurrentPrincipal, Opened
from llmbench.access import Resource
from llmbench.http.service_router import ServiceRouter

router = ServiceRouter(prefix="/api/api-keys", tags=["API keys"], resource=Resource.API_KEYS)


def _service(opened: Opened) -> ApiKeyService:
    return ApiKeyService(opened)


Service = Annotated[ApiKeyService, Depends(_service)]


@router.get("")
async def list_api_keys(service: Service, limit: Limit = 50, cursor: Cursor = None) -> Page[ApiKeyOut]:
    """List the organisation's API keys, the latest first."""
    return await service.list(cursor=cursor, limit=limit)


@router.post("", status_code=201, responses=TAKEN)
async def create_api_key(body: ApiKeyIn, service: Service, caller: CurrentPrincipal, acting: Acting) -> ApiKeyCreated:
    """Create an API key, which programs send as `Authorization: Bearer llmb_…`."""
    return await service.create(body, caller, acting)


@router.delete("/{id}", status_code=204)
async def delete_api_key(id: UUID, service: Service, acting: Acting) -> None:
    """Revoke an API key."""
    await service.delete(id, acting)
