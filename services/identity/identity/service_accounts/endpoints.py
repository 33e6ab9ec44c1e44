"""Define the endpoints of `/api/service-accounts`."""

from typing import Annotated
from uuid import UUID

from fastapi import Depends

from identity.bodies import Cursor, Limit, Page
from identity.service_accounts.schemas import ServiceAccountIn, ServiceAccountOut
from identity.service_accounts.service import ServiceAccountService
from identity.state import Acting, CurrentPrincipal, Opened
from llmbench.access import Resource
from llmbench.http.service_router import ServiceRouter

router = ServiceRouter(prefix="/api/service-accounts", tags=["service accounts"], resource=Resource.SERVICE_ACCOUNTS)


def _service(opened: Opened) -> ServiceAccountService:
    return ServiceAccountService(opened)


Service = Annotated[ServiceAccountService, Depends(_service)]


@router.get("")
async def list_service_accounts(service: Service, limit: Limit = 50, cursor: Cursor = None) -> Page[ServiceAccountOut]:
    """List the accounts of programs."""
    return await service.list(cursor=cursor, limit=limit)


@router.post("", status_code=201)
async def create_service_account(
    body: ServiceAccountIn, service: Service, caller: CurrentPrincipal, acting: Acting
) -> ServiceAccountOut:
    """Create an account for a program. Its API keys do not depend on a person, who may leave."""
    return await service.create(body, caller, acting)


@router.delete("/{id}", status_code=204)
async def delete_service_account(id: UUID, service: Service, caller: CurrentPrincipal, acting: Acting) -> None:
    """Delete the account and its API keys."""
    await service.delete(id, caller, acting)
