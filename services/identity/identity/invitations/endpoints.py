"""Define the endpoints of `/api/invitations`."""

from typing import Annotated
from uuid import UUID

from fastapi import Depends

from identity.bodies import Cursor, Limit, Page
from identity.invitations.schemas import InvitationCreated, InvitationIn, InvitationOut
from identity.invitations.service import InvitationService
from identity.state import Acting, CurrentPrincipal, Opened
from llmbench.access import Resource
from llmbench.http.service_router import ServiceRouter

router = ServiceRouter(prefix="/api/invitations", tags=["invitations"], resource=Resource.INVITATIONS)


def _service(opened: Opened) -> InvitationService:
    return InvitationService(opened)


Service = Annotated[InvitationService, Depends(_service)]


@router.get("")
async def list_invitations(service: Service, limit: Limit = 50, cursor: Cursor = None) -> Page[InvitationOut]:
    """List the unused invitations, the latest first."""
    return await service.list(cursor=cursor, limit=limit)


@router.post("", status_code=201)
async def create_invitation(
    body: InvitationIn, service: Service, caller: CurrentPrincipal, acting: Acting
) -> InvitationCreated:
    """Create a link by which one person can join. No message is sent: pass the link on yourself."""
    return await service.create(body, caller, acting)


@router.delete("/{id}", status_code=204)
async def delete_invitation(id: UUID, service: Service, acting: Acting) -> None:
    await service.delete(id, acting)
