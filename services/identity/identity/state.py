"""Give endpoints the connections that the service opens once. The lifespan in `identity.main` opens them."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from fastapi import Depends, Request
from sqlalchemy.ext.asyncio import AsyncEngine

from identity.passwords import Passwords
from identity.people import find_by_id
from identity.proxy import Proxy
from identity.rates import Attempts
from identity.requests import address_of
from identity.sessions import Lifetimes
from identity.signing import Signer
from identity.trail import Actor
from llmbench.access import Principal
from llmbench.db.secrets import SecretBox
from llmbench.errors import Problem
from llmbench.http.authentication import bound_principal, not_signed_in

Clock = Callable[[], float]
Revoke = Callable[[Sequence[UUID]], Awaitable[None]]
"""Announces that sessions and API keys are no longer valid."""


@dataclass(frozen=True)
class Connections:
    """The connections and limits of the running service.

    `engine` sees the rows of one organisation. `everybody` sees those of all, and is only used to find the organisation
    of a request.
    """

    engine: AsyncEngine
    everybody: AsyncEngine
    signer: Signer
    passwords: Passwords
    attempts: Attempts
    lifetimes: Lifetimes
    revoke: Revoke
    box: SecretBox
    clock: Clock
    """Returns the seconds since 1970, for codes that depend on the time."""
    proxy: Proxy | None = None
    """The proxy that signs people in, with LLMBENCH_AUTH=proxy."""


def connections(request: Request) -> Connections:
    opened: Connections | None = request.app.state.connections
    if opened is None:
        raise Problem(503, "Not ready", "The service is starting; try again in a moment.")
    return opened


def principal() -> Principal:
    """Return the principal of the current request. Raises a 401 `Problem` without sign-in."""
    found = bound_principal()
    if found is None:
        raise not_signed_in()
    return found


async def actor(request: Request) -> Actor:
    """Return the person of the current request, in the form in which the audit log names people."""
    asking = principal()
    async with connections(request).engine.connect() as connection:
        found = await find_by_id(connection, asking.person_id)
    return Actor(asking.person_id, found.name if found else "", address_of(request))


Opened = Annotated[Connections, Depends(connections)]
CurrentPrincipal = Annotated[Principal, Depends(principal)]
Acting = Annotated[Actor, Depends(actor)]
