"""Define the endpoints of sign-in through issuers. Their paths begin with `/api/auth`, so the edge lets requests pass
without a session."""

from typing import Annotated, Final
from urllib.parse import parse_qs
from uuid import UUID

from fastapi import APIRouter, Depends, Path, Request, Response
from fastapi.responses import JSONResponse, RedirectResponse

from identity.openid_connect.attempts import LASTS
from identity.openid_connect.local_path import local_path
from identity.openid_connect.schemas import (
    Begin,
    BeginSignIn,
    Begun,
    IssuerOut,
    IssuersOut,
    LoginOut,
    LoginsOut,
    SignedOut,
)
from identity.openid_connect.service import Callback, Issuers, OpenIdConnectService
from identity.problems import GONE, LIMITED
from identity.requests import (
    address_of,
    clear_session,
    cookie_of,
    device_of,
    require_csrf_token,
    session_token,
    set_session,
)
from identity.state import Opened
from llmbench.errors import Problem
from llmbench.http.authentication import not_signed_in
from llmbench.http.openapi import answers
from llmbench.http.service_router import ServiceRouter

IssuerName = Annotated[str, Path(max_length=100)]
router = ServiceRouter(prefix="/api/auth", tags=["sign-in"], resource=None)
callback_router = APIRouter(prefix="/api/auth")
_COOKIE: Final = "llmbench-sign-in"
_MOST_BYTES: Final = 65_536
_UNKNOWN = answers(404, "There is no such issuer.")
_UNAVAILABLE = answers(502, "The issuer does not answer as it should.")
_ONLY = answers(409, "You could not sign in without this login.")


def issuers(request: Request) -> Issuers:
    found: Issuers = request.app.state.issuers
    return found


def _service(request: Request, opened: Opened) -> OpenIdConnectService:
    return OpenIdConnectService(opened, issuers(request), address_of(request), device_of(request))


def _session(request: Request) -> str:
    token = session_token(request)
    if token is None:
        raise not_signed_in()
    return token


def _own_session(request: Request) -> str:
    """Return the token of the request's session, for endpoints that change something. Raises a `Problem`: 401 without a
    session, 403 without its CSRF token."""
    token = _session(request)
    require_csrf_token(request, token)
    return token


Service = Annotated[OpenIdConnectService, Depends(_service)]
Configured = Annotated[Issuers, Depends(issuers)]
ReadSession = Annotated[str, Depends(_session)]
OwnSession = Annotated[str, Depends(_own_session)]


@router.get("/issuers")
async def list_issuers(configured: Configured) -> IssuersOut:
    """List the OpenID Connect issuers at which people may sign in."""
    each = [provider.issuer for provider in configured.providers.values()]
    return IssuersOut(items=[IssuerOut(name=issuer.name, title=issuer.title) for issuer in each])


@router.post("/issuers/sign-out")
async def sign_out_everywhere(token: OwnSession, service: Service, request: Request, response: Response) -> SignedOut:
    """End the session, and return the address that ends it at its issuer too, if it began there."""
    location = await service.sign_out(token, request.headers.get("origin"))
    clear_session(request, response)
    return SignedOut(location=location)


@router.post("/issuers/{name}/sign-in", responses=GONE | LIMITED | _UNKNOWN | _UNAVAILABLE)
async def begin_sign_in(
    name: IssuerName, body: BeginSignIn, service: Service, request: Request, response: Response
) -> Begun:
    """Begin to sign in at an issuer, which sends the browser back here. With the token of an `invitation`, the person
    joins the organisation that sent it."""
    invitation = None if body.invitation is None else body.invitation.get_secret_value()
    return await _begin(name, body, service, request, response, invitation=invitation)


@router.post("/issuers/{name}/link", responses=LIMITED | _UNKNOWN | _UNAVAILABLE)
async def begin_link(
    name: IssuerName, body: Begin, token: OwnSession, service: Service, request: Request, response: Response
) -> Begun:
    """Begin to link an identity at an issuer to your account."""
    return await _begin(name, body, service, request, response, person_id=await service.person_of(token))


@callback_router.get("/issuers/{name}/callback", include_in_schema=False)
async def finish(name: IssuerName, service: Service, opened: Opened, request: Request) -> Response:
    """Finish a sign-in with the issuer's answer. Unknown parameters are no error, because issuers add their own."""
    parameters = {key: request.query_params.getlist(key) for key in request.query_params}
    browser = request.cookies.get(_cookie_name(request))
    finished = await service.finish(name, Callback(parameters, browser, session_token(request)))
    response = RedirectResponse(finished.location, status_code=303, headers={"Cache-Control": "no-store"})
    response.delete_cookie(
        _cookie_name(request), path="/", secure=cookie_of(request).secure, httponly=True, samesite="lax"
    )
    if finished.token is not None:
        set_session(request, response, finished.token, lasts_s=int(opened.lifetimes.total.total_seconds()))
    return response


@callback_router.post("/issuers/{name}/back-channel-logout", include_in_schema=False)
async def back_channel_logout(name: IssuerName, request: Request, opened: Opened) -> Response:
    """End the sessions that an issuer's logout token names (OpenID Connect Back-Channel Logout 1.0)."""
    # Imported late: without issuers the libraries for tokens would cost memory for nothing.
    from identity.openid_connect.logout import LogoutService

    issuers(request).find(name)
    form = parse_qs(await _bounded(request), max_num_fields=20)
    tokens = form.get("logout_token", [])
    service = LogoutService(opened, issuers(request), address_of(request))
    done = len(tokens) == 1 and await service.end(name, tokens[0])
    content = {} if done else {"error": "invalid_request", "error_description": "The logout token is not valid."}
    return JSONResponse(content, status_code=200 if done else 400, headers={"Cache-Control": "no-store"})


async def _bounded(request: Request) -> str:
    """Return the body of a small form. Raises a `Problem`: 413 for a large body, 400 for one that is not ASCII."""
    body = b""
    async for block in request.stream():
        body += block
        if len(body) > _MOST_BYTES:
            raise Problem(413, "Too large", f"A logout token has at most {_MOST_BYTES} bytes.")
    try:
        return body.decode("ascii")
    except UnicodeDecodeError:
        raise Problem(400, "Malformed", "The body is no form.") from None


@router.get("/logins")
async def list_logins(token: ReadSession, service: Service, configured: Configured) -> LoginsOut:
    """List the identities at issuers with which you can sign in."""
    titles = {each.issuer.issuer: each.issuer.title for each in configured.providers.values()}
    return LoginsOut(
        items=[
            LoginOut(
                id=login.id,
                issuer=titles.get(login.issuer, login.issuer),
                created_at=login.created_at,
                last_used_at=login.last_used_at,
            )
            for login in await service.logins(token)
        ]
    )


@router.delete("/logins/{id}", status_code=204, responses=_ONLY)
async def delete_login(id: UUID, token: OwnSession, service: Service) -> None:
    """Remove one of your identities at issuers. Sessions that began with it end, except the one of this request."""
    await service.unlink(token, id)


async def _begin(
    name: str,
    body: Begin,
    service: OpenIdConnectService,
    request: Request,
    response: Response,
    *,
    person_id: UUID | None = None,
    invitation: str | None = None,
) -> Begun:
    origin = request.headers.get("origin")
    location, begun = await service.begin(name, local_path(body.next), origin, person_id, invitation)
    response.set_cookie(
        _cookie_name(request),
        begun.browser,
        max_age=int(LASTS.total_seconds()),
        path="/",
        secure=cookie_of(request).secure,
        httponly=True,
        samesite="lax",
    )
    response.headers["Cache-Control"] = "no-store"
    return Begun(location=location)


def _cookie_name(request: Request) -> str:
    return f"__Host-{_COOKIE}" if cookie_of(request).secure else _COOKIE
