"""Bind the organisation, and with sign-in the person, on whose behalf a request or a WebSocket is served.

Without sign-in every request works for one organisation. With it, the edge adds a signed header to each request
(`llmbench.http.principal_token`). A request without a valid one gets a 401, unless its path is open to everybody.
"""

from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from starlette.types import ASGIApp, Receive, Scope, Send

from llmbench.access import Principal, Resource, Verb, allowed, scope
from llmbench.errors import Problem
from llmbench.http.door import header_values
from llmbench.http.problems import answer_problem
from llmbench.ids import DEFAULT_ORG_ID
from llmbench.organisation import asked_by, working_for

Read = Callable[[str], Awaitable[Principal]]
"""Returns the principal of a token. Raises a `Problem` if the token cannot be verified."""

_HEADER: Final = b"llmbench-principal"
_FOR_NOBODY: Final = frozenset({"/health/live", "/health/ready", "/metrics", "/openapi.json"})

_principal: ContextVar[Principal | None] = ContextVar("principal", default=None)


@dataclass(frozen=True)
class Authentication:
    """The rules by which a service finds the person and the organisation of a request.

    `read` verifies the principal of a request. It is `None` without sign-in: every request then works for
    `organisation`. `open_paths` are beginnings of paths that need no sign-in.
    """

    organisation: UUID = DEFAULT_ORG_ID
    read: Read | None = None
    open_paths: tuple[str, ...] = ()


def bound_principal() -> Principal | None:
    """Return the person on whose behalf the current request is served; `None` without sign-in."""
    return _principal.get()


def not_signed_in(detail: str = "Sign in, or send an API key as `Authorization: Bearer llmb_…`.") -> Problem:
    """Return the 401 `Problem` for a request without a valid identity."""
    return Problem(401, "Not signed in", detail)


def require_allowed(resource: Resource, verb: Verb) -> None:
    """Raise a 403 `Problem` if the person who has signed in lacks the right to `verb` on `resource`."""
    principal = bound_principal()
    if principal is None or allowed(principal, verb, resource):
        return
    needed = scope(resource, verb)
    raise Problem(
        403,
        "Not allowed",
        f"This needs the right {needed}, which the role {principal.role.value} "
        f"{'or this API key ' if principal.scopes is not None else ''}does not have. "
        "An owner or admin of the organisation can give it.",
        extra={"needed": needed},
    )


class Authenticator:
    """Middleware that binds each request to its organisation and, with sign-in, to its person. It answers 401 if a
    request that needs sign-in has no valid principal."""

    def __init__(self, app: ASGIApp, authentication: Authentication) -> None:
        self._app = app
        self._authentication = authentication

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            # The lifespan starts the service's loops, which serve all organisations.
            with working_for(None):
                await self._app(scope, receive, send)
        elif self._authentication.read is None:
            with working_for(self._authentication.organisation):
                await self._app(scope, receive, send)
        elif scope["path"] in _FOR_NOBODY or scope["path"].startswith(self._authentication.open_paths):
            with working_for(None):
                await self._app(scope, receive, send)
        else:
            await self._authenticated(self._authentication.read, scope, receive, send)

    async def _authenticated(self, read: Read, scope: Scope, receive: Receive, send: Send) -> None:
        tokens = header_values(scope, _HEADER)
        try:
            if len(tokens) != 1:
                raise not_signed_in()
            principal = await read(tokens[0])
        except Problem as refusal:
            await answer_problem(refusal, scope, receive, send)
            return
        bound = _principal.set(principal)
        try:
            with working_for(principal.org_id), asked_by(principal.person_id):
                await self._app(scope, receive, send)
        finally:
            _principal.reset(bound)
