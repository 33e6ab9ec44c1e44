"""Find the session of a request for the endpoints of `/api/auth`, which read and change only the person's own data."""

from typing import Annotated

from fastapi import Depends, Request

from identity.requests import require_csrf_token, session_token
from identity.sessions import Session, find_session
from identity.state import Opened, connections
from llmbench.errors import Problem
from llmbench.http.authentication import not_signed_in


def _own_session(request: Request) -> str:
    """Return the token of the request's session, for endpoints that change something. Raises a `Problem`: 401 without a
    session, 403 without its CSRF token."""
    token = session_token(request)
    if token is None:
        raise not_signed_in()
    require_csrf_token(request, token)
    return token


OwnSession = Annotated[str, Depends(_own_session)]


async def _reading(request: Request, opened: Opened) -> Session:
    """Return the session of a request that only reads. Raises a 401 `Problem` if there is none, or if it has ended."""
    token = session_token(request)
    if token is None:
        raise not_signed_in()
    async with opened.everybody.connect() as connection:
        session = await find_session(connection, token, opened.lifetimes)
    if session is None:
        raise not_signed_in("The session has ended. Sign in again.")
    if opened.proxy is not None:
        await opened.proxy.require(request, session.email)
    return session


Reading = Annotated[Session, Depends(_reading)]


async def _changing(session: Reading, token: OwnSession) -> Session:
    return session


Changing = Annotated[Session, Depends(_changing)]
"""The session of a request that changes something. The request must have the session's CSRF token."""


def _passwords(request: Request) -> None:
    if connections(request).proxy is not None:
        raise Problem(409, "No passwords here", "The proxy in front of this platform signs people in.")


PASSWORDS = Depends(_passwords)
"""Refuses requests to routes that need passwords, if a proxy signs people in."""
