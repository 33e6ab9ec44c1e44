"""Define the endpoints of `/api/auth` for signing in and out. The edge lets requests to these paths pass without a
session."""

from typing import Annotated

from fastapi import Depends, Request, Response

from identity.own_session import PASSWORDS, OwnSession
from identity.problems import GONE, LIMITED, TAKEN
from identity.requests import (
    address_of,
    clear_session,
    device_of,
    session_token,
    set_session,
)
from identity.sign_in.joining import Joining
from identity.sign_in.proxied import enter
from identity.sign_in.schemas import (
    AcceptInvitation,
    ChangePassword,
    FirstOwner,
    SessionOut,
    SignIn,
    SwitchOrganisation,
)
from identity.sign_in.service import SignInService, Started
from identity.state import Connections, Opened, connections
from llmbench.http.service_router import ServiceRouter

router = ServiceRouter(prefix="/api/auth", tags=["sign-in"], resource=None)


def _service(request: Request) -> SignInService:
    return SignInService(connections(request), address_of(request), device_of(request))


def _joining(request: Request) -> Joining:
    return Joining(connections(request), address_of(request))


Service = Annotated[SignInService, Depends(_service)]
Joins = Annotated[Joining, Depends(_joining)]


@router.get("/session")
async def get_session(service: Service, opened: Opened, request: Request, response: Response) -> SessionOut:
    """Return the session of the request and its person. With LLMBENCH_AUTH=off the edge answers `{"auth": "off"}`."""
    response.headers["Cache-Control"] = "no-store"
    if opened.proxy is None:
        return await service.describe(session_token(request))
    entered = await enter(opened, opened.proxy, service, request)
    return _begin(entered, opened, request, response) if isinstance(entered, Started) else entered


@router.post("/sign-in", responses=LIMITED, dependencies=[PASSWORDS])
async def sign_in(body: SignIn, service: Service, opened: Opened, request: Request, response: Response) -> SessionOut:
    """Open a session, whose token is a cookie. The answer to a wrong password and to an unknown address is the same."""
    started = await service.sign_in(body, presented=session_token(request))
    return _begin(started, opened, request, response)


@router.post("/sign-out", status_code=204)
async def sign_out(token: OwnSession, service: Service, request: Request, response: Response) -> None:
    await service.sign_out(token)
    clear_session(request, response)


@router.post("/organisation")
async def switch_organisation(body: SwitchOrganisation, token: OwnSession, service: Service) -> SessionOut:
    """Work in another of your organisations."""
    return await service.switch(token, body.id)


@router.post("/password", responses=LIMITED, dependencies=[PASSWORDS])
async def change_password(
    body: ChangePassword, token: OwnSession, service: Service, opened: Opened, request: Request, response: Response
) -> SessionOut:
    """Change the password. Every other session of yours ends."""
    current, new = body.current.get_secret_value(), body.new.get_secret_value()
    return _begin(await service.change_password(token, current=current, new=new), opened, request, response)


@router.post("/first-owner", status_code=201, responses=GONE | LIMITED | TAKEN, dependencies=[PASSWORDS])
async def create_first_owner(
    body: FirstOwner, joins: Joins, service: Service, opened: Opened, request: Request, response: Response
) -> SessionOut:
    """Create the account of the first owner, and sign the owner in. The token is from the link that the identity
    service writes to its log when it starts without an owner. The link works once, for 24 h."""
    joined = await joins.first_owner(body)
    started = await service.start(joined.person, presented=session_token(request), org_id=joined.org_id)
    return _begin(started, opened, request, response)


@router.post("/invitations/accept", status_code=201, responses=GONE | LIMITED | TAKEN, dependencies=[PASSWORDS])
async def accept_invitation(
    body: AcceptInvitation, joins: Joins, service: Service, opened: Opened, request: Request, response: Response
) -> SessionOut:
    """Join the organisation that sent the invitation, and sign in."""
    joined = await joins.accept(body)
    started = await service.start(
        joined.person, presented=session_token(request), org_id=joined.org_id, strong=joined.strong
    )
    return _begin(started, opened, request, response)


def _begin(started: Started, opened: Connections, request: Request, response: Response) -> SessionOut:
    set_session(request, response, started.token, lasts_s=int(opened.lifetimes.total.total_seconds()))
    response.headers["Cache-Control"] = "no-store"
    return started.session
