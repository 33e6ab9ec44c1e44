"""Define the endpoints of `/api/organisations`."""

from typing import Annotated

from fastapi import Depends, Query

from identity.organisations.schemas import OrganisationChange, OrganisationIn, OrganisationOut
from identity.organisations.service import OrganisationService
from identity.problems import OWN_FACTOR, TAKEN
from identity.state import Acting, CurrentPrincipal, Opened
from llmbench.access import Resource
from llmbench.http.openapi import answers
from llmbench.http.service_router import ServiceRouter

router = ServiceRouter(prefix="/api/organisations", tags=["organisations"], resource=Resource.ORGANISATION)


def _service(opened: Opened) -> OrganisationService:
    return OrganisationService(opened)


Service = Annotated[OrganisationService, Depends(_service)]


@router.get("/current")
async def get_organisation(service: Service, caller: CurrentPrincipal) -> OrganisationOut:
    """Return the organisation that the session works in."""
    return await service.current(caller)


@router.patch("/current", responses=OWN_FACTOR)
async def change_organisation(
    body: OrganisationChange, service: Service, caller: CurrentPrincipal, acting: Acting
) -> OrganisationOut:
    return await service.change(body, caller, acting)


@router.post("", status_code=201, responses=TAKEN)
async def create_organisation(
    body: OrganisationIn, service: Service, caller: CurrentPrincipal, acting: Acting
) -> OrganisationOut:
    """Create an organisation of your own. Change to it with `POST /api/auth/organisation`."""
    return await service.create(body, caller, acting)


@router.delete("/current", status_code=204, responses=answers(409, "It is the first organisation of the platform."))
async def close_organisation(
    slug: Annotated[str, Query(max_length=100, description="The short name of the organisation, as a confirmation.")],
    service: Service,
    caller: CurrentPrincipal,
    acting: Acting,
) -> None:
    """Close the organisation that the session works in.

    Its members, keys and links no longer have access, and its runs end with their next answer. Only the operator of
    the platform can reopen it, or erase its data.
    """
    await service.close(slug, caller, acting)
