"""Read the credentials, the device and the client's address from a request, and set the cookie of a session."""

import hmac
from dataclasses import dataclass
from typing import Final

from fastapi import Request, Response

from identity.tokens import csrf_token_of
from llmbench.errors import Problem

CSRF_HEADER: Final = "X-CSRF-Token"
READS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})
_NAME: Final = "llmbench-session"


@dataclass(frozen=True)
class Cookie:
    """The name of the session's cookie, and whether browsers send it over TLS only (`secure`).

    Except on loopback, the name begins with `__Host-`: browsers accept such a cookie only over TLS, and no other host
    can set it. On loopback there is no TLS, so the name has no such prefix.
    """

    name: str
    secure: bool


def cookie_of(request: Request) -> Cookie:
    """Return the session's cookie for the host by which the browser reached the platform."""
    loopback = (request.url.hostname or "") in _LOOPBACK
    return Cookie(_NAME, secure=False) if loopback else Cookie(f"__Host-{_NAME}", secure=True)


def session_token(request: Request) -> str | None:
    """Return the token of the session that the request presents, if any."""
    return request.cookies.get(cookie_of(request).name)


def set_session(request: Request, response: Response, token: str, *, lasts_s: int) -> None:
    cookie = cookie_of(request)
    response.set_cookie(
        cookie.name, token, max_age=lasts_s, path="/", secure=cookie.secure, httponly=True, samesite="lax"
    )


def clear_session(request: Request, response: Response) -> None:
    cookie = cookie_of(request)
    response.delete_cookie(cookie.name, path="/", secure=cookie.secure, httponly=True, samesite="lax")


def require_csrf_token(request: Request, token: str) -> None:
    """Raise a 403 `Problem` unless the request has the session's CSRF token."""
    given = request.headers.get(CSRF_HEADER, "")
    if not hmac.compare_digest(given.encode(), csrf_token_of(token).encode()):
        raise Problem(
            403,
            "No CSRF token",
            f"A request that changes something needs the header {CSRF_HEADER} with the csrf_token of "
            "GET /api/auth/session. Programs use an API key instead of a cookie.",
        )


def device_of(request: Request) -> str:
    """Return the browser's description of itself, the header `User-Agent`."""
    return request.headers.get("user-agent", "")


def address_of(request: Request) -> str:
    """Return the client's IP address: the last one in the header `X-Forwarded-For`, which the edge has added, or else
    the address of the connection."""
    forwarded = request.headers.get("x-forwarded-for", "").rpartition(",")[2].strip()
    return forwarded or (request.client.host if request.client else "")
