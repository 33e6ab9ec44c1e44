"""Define the endpoints by which people manage their own sessions and second factor."""

from typing import Annotated
from uuid import UUID

from fastapi import Depends, Request, Response

from identity.account.schemas import (
    BeginSecondFactor,
    ConfirmSecondFactor,
    OwnSessions,
    RecoveryCodes,
    RemoveSecondFactor,
    RenewRecoveryCodes,
    SecondFactorBegun,
    SecondFactorOut,
)
from identity.account.service import AccountService
from identity.own_session import PASSWORDS, Changing, Reading
from identity.problems import ENABLED, LIMITED, NO_FACTOR
from identity.requests import address_of
from identity.state import connections
from llmbench.http.service_router import ServiceRouter

router = ServiceRouter(prefix="/api/auth", tags=["account"], resource=None)


def _service(request: Request) -> AccountService:
    return AccountService(connections(request), address_of(request))


def _unstored(response: Response) -> None:
    response.headers["Cache-Control"] = "no-store"


Service = Annotated[AccountService, Depends(_service)]


@router.get("/sessions")
async def list_own_sessions(session: Reading, service: Service) -> OwnSessions:
    """List your sessions, the latest first."""
    return await service.sessions(session)


@router.delete("/sessions/{id}", status_code=204)
async def end_own_session(id: UUID, session: Changing, service: Service) -> None:
    """End one of your sessions, for instance on a device that you have lost."""
    await service.end(session, id)


@router.post("/sessions/end-others", status_code=204)
async def end_other_sessions(session: Changing, service: Service) -> None:
    """End all of your sessions but this one."""
    await service.end_others(session)


@router.get("/second-factor")
async def get_second_factor(session: Reading, service: Service) -> SecondFactorOut:
    return await service.second_factor(session)


@router.post("/second-factor", responses=ENABLED | LIMITED, dependencies=[PASSWORDS, Depends(_unstored)])
async def begin_second_factor(body: BeginSecondFactor, session: Changing, service: Service) -> SecondFactorBegun:
    """Create the secret of a second factor (RFC 6238). The factor is in use once you have confirmed a code."""
    return await service.begin(session, body.password.get_secret_value())


@router.post("/second-factor/confirm", responses=ENABLED | LIMITED, dependencies=[PASSWORDS, Depends(_unstored)])
async def confirm_second_factor(body: ConfirmSecondFactor, session: Changing, service: Service) -> RecoveryCodes:
    """Put the second factor into use. From now on each sign-in asks for a code."""
    return await service.confirm(session, body.code)


@router.post(
    "/second-factor/recovery-codes", responses=NO_FACTOR | LIMITED, dependencies=[PASSWORDS, Depends(_unstored)]
)
async def renew_recovery_codes(body: RenewRecoveryCodes, session: Changing, service: Service) -> RecoveryCodes:
    """Create new recovery codes. The earlier ones stop working."""
    return await service.renew_codes(session, body)


@router.post("/second-factor/remove", status_code=204, responses=LIMITED, dependencies=[PASSWORDS])
async def remove_second_factor(body: RemoveSecondFactor, session: Changing, service: Service) -> None:
    await service.remove(session, body.password.get_secret_value(), body.code)
