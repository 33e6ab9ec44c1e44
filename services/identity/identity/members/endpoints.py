"""Define the endpoints of `/api/members`."""

from typing import Annotated
from uuid import UUID

from fastapi import Depends

from identity.bodies import Cursor, Limit, Page
from identity.members.schemas import MemberIn, MemberOut
from identity.members.service import MemberService
from identity.problems import LAST_OWNER
from identity.state import Acting, CurrentPrincipal, Opened
from llmbench.access import Resource
from llmbench.http.service_router import ServiceRouter

router = ServiceRouter(prefix="/api/members", tags=["members"], resource=Resource.MEMBERS)


def _service(opened: Opened) -> MemberService:
    return MemberService(opened)


Service = Annotated[MemberService, Depends(_service)]


@router.get("")
async def list_members(service: Service, limit: Limit = 50, cursor: Cursor = None) -> Page[MemberOut]:
    """List the people of the organisation."""
    return await service.list(cursor=cursor, limit=limit)


@router.patch("/{id}", responses=LAST_OWNER)
async def change_member(
    id: UUID, body: MemberIn, service: Service, caller: CurrentPrincipal, acting: Acting
) -> MemberOut:
    """Give a member another role."""
    return await service.change(id, body.role, caller, acting)


@router.delete("/{id}", status_code=204, responses=LAST_OWNER)
async def remove_member(id: UUID, service: Service, caller: CurrentPrincipal, acting: Acting) -> None:
    """Remove a person from the organisation. The person's sessions and API keys there stop working."""
    await service.remove(id, caller, acting)
