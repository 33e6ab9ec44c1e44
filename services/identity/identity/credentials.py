"""Find the person who makes a request: from the cookie of a session, or from an API key."""

import hmac
from dataclasses import dataclass
from datetime import timedelta

from fastapi import Request
from sqlalchemy import Row, func, or_, select, update

from identity.people import find_role
from identity.requests import READS, require_csrf_token, session_token
from identity.second_factor import is_required, lacking
from identity.sessions import find_session, note_use
from identity.state import Connections
from identity.tokens import parse_api_key, token_hash
from llmbench.access import Principal, Role
from llmbench.db.tables import api_key, membership, organisation, person
from llmbench.errors import Problem
from llmbench.http.authentication import not_signed_in
from llmbench.organisation import working_for


@dataclass(frozen=True)
class ForwardedRequest:
    """A request that the edge wants verified: its method, and its header `Authorization`."""

    method: str
    authorization: str | None


async def identify(opened: Connections, request: Request, forwarded: ForwardedRequest) -> Principal:
    """Return the principal of a request: person, organisation and rights.

    Raises a `Problem`: 401 without a valid session or API key. The status is 403 if the session's organisation was
    closed, no longer has the person as a member, or requires a second factor that the session lacks. It is also 403 for
    a state-changing request without the session's CSRF token.
    """
    if forwarded.authorization is not None:
        return await _by_api_key(opened, forwarded.authorization)
    token = session_token(request)
    if token is None:
        raise not_signed_in()
    principal = await _by_session(opened, request, token)
    if forwarded.method not in READS:
        require_csrf_token(request, token)
    return principal


async def _by_session(opened: Connections, request: Request, token: str) -> Principal:
    async with opened.everybody.connect() as connection:
        session = await find_session(connection, token, opened.lifetimes)
    if session is None:
        raise not_signed_in("The session has ended. Sign in again.")
    if opened.proxy is not None:
        await opened.proxy.require(request, session.email)
    role, lacks = None, False
    if session.org_id is not None:
        with working_for(session.org_id):
            async with opened.engine.begin() as connection:
                role = await find_role(connection, session.person_id)
                lacks = not session.strong and await is_required(connection)
                if session.used_long_ago:
                    await note_use(connection, session.id, opened.lifetimes)
    if session.org_id is None or role is None:
        detail = "This organisation was closed, or you are no longer a member of it. Change to another one."
        raise Problem(403, "No organisation", detail)
    if lacks:
        raise lacking()
    return Principal(session.person_id, session.org_id, role, session.id)


async def _by_api_key(opened: Connections, authorization: str) -> Principal:
    scheme, _, text = authorization.partition(" ")
    given = parse_api_key(text.strip()) if scheme.lower() == "bearer" else None
    if given is None:
        raise not_signed_in("This is no API key of llmbench: `Authorization: Bearer llmb_…`.")
    query = (
        select(api_key, membership.c.role)
        .join(person, person.c.id == api_key.c.person_id)
        .join(membership, (membership.c.org_id == api_key.c.org_id) & (membership.c.person_id == api_key.c.person_id))
        .join(organisation, organisation.c.id == api_key.c.org_id)
        .where(
            api_key.c.id == given.id,
            organisation.c.closed_at.is_(None),
            or_(api_key.c.expires_at.is_(None), api_key.c.expires_at > func.now()),
            person.c.disabled_at.is_(None),
        )
    )
    async with opened.everybody.connect() as connection:
        row = (await connection.execute(query)).one_or_none()
    if row is None or not hmac.compare_digest(row.secret_hash, token_hash(given.secret)):
        raise not_signed_in("This API key was revoked, has expired, or never existed.")
    await _note_use(opened, row)
    scopes = None if row.scopes is None else frozenset(row.scopes)
    return Principal(row.person_id, row.org_id, Role(row.role), row.id, scopes)


async def _note_use(opened: Connections, row: "Row[tuple[object, ...]]") -> None:
    """Store the time of the key's last use, at most once a minute."""
    stale = or_(api_key.c.last_used_at.is_(None), api_key.c.last_used_at < func.now() - timedelta(minutes=1))
    with working_for(row.org_id):
        async with opened.engine.begin() as connection:
            used = update(api_key).where(api_key.c.id == row.id, stale).values(last_used_at=func.now())
            await connection.execute(used)
