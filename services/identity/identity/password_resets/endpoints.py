"""Define the endpoints by which an admin lets a person choose a new password."""

from typing import Annotated

from fastapi import Depends, Request

from identity.own_session import PASSWORDS
from identity.password_resets.schemas import PasswordResetIn, PasswordResetOut, ResetPassword
from identity.password_resets.service import PasswordResetService
from identity.problems import ELSEWHERE, GONE, LIMITED
from identity.requests import address_of
from identity.state import Acting, CurrentPrincipal, connections
from llmbench.access import Resource
from llmbench.http.service_router import ServiceRouter

router = ServiceRouter(prefix="/api/password-resets", tags=["members"], resource=Resource.MEMBERS)
open_router = ServiceRouter(prefix="/api/auth/password-reset", tags=["sign-in"], resource=None)


def _service(request: Request) -> PasswordResetService:
    return PasswordResetService(connections(request), address_of(request))


Service = Annotated[PasswordResetService, Depends(_service)]


@router.post("", status_code=201, responses=ELSEWHERE, dependencies=[PASSWORDS])
async def create_password_reset(
    body: PasswordResetIn, service: Service, caller: CurrentPrincipal, acting: Acting
) -> PasswordResetOut:
    """Create a link by which a member chooses a new password. No message is sent: pass the link on yourself."""
    return await service.create(body, caller, acting)


@open_router.post("", status_code=204, responses=GONE | LIMITED, dependencies=[PASSWORDS])
async def reset_password(body: ResetPassword, service: Service) -> None:
    """Choose a new password by a link. All sessions of the person end, and no new one begins."""
    await service.use(body.token.get_secret_value(), body.password.get_secret_value())
