"""Open a session for the person that the proxy names (LLMBENCH_AUTH=proxy)."""

from fastapi import Request

from identity.people import Person, find_by_email, find_role, insert_member, insert_person
from identity.problems import unique
from identity.proxy import Named, Proxy
from identity.requests import address_of, session_token
from identity.sign_in.schemas import SessionOut
from identity.sign_in.service import SignInService, Started
from identity.state import Connections
from identity.trail import Actor, record
from llmbench.access import Role
from llmbench.errors import Problem
from llmbench.ids import DEFAULT_ORG_ID
from llmbench.organisation import working_for


async def enter(opened: Connections, proxy: Proxy, service: SignInService, request: Request) -> Started | SessionOut:
    """Return the session of the person that the proxy names: the one that the browser presents, or a new one.

    If there is no valid token, or the person may not enter, return a description without a session, which gives the
    reason. Other failures, such as missing keys of the proxy (503), are raised as a `Problem`.
    """
    token = session_token(request)
    try:
        named = await proxy.read(request)
        present = await service.describe(token)
        if present.person is not None and present.person.email == named.email:
            return present.model_copy(update={"sign_in": "proxy"})
        person = await _made_or_found(opened, proxy, named, address_of(request))
    except Problem as refusal:
        if refusal.status not in (401, 403):
            raise
        return SessionOut(auth="on", signed_in=False, first_owner_needed=False, sign_in="proxy", refused=refusal.detail)
    started = await service.start(person, presented=token, strong=True)
    return Started(started.token, started.session.model_copy(update={"sign_in": "proxy"}))


async def _made_or_found(opened: Connections, proxy: Proxy, named: Named, address: str) -> Person:
    try:
        return await _person(opened, proxy, named, address)
    except Problem as refusal:
        if refusal.status != 409:
            raise
        # Another tab of the same person has created the account meanwhile.
        return await _person(opened, proxy, named, address)


async def _person(opened: Connections, proxy: Proxy, named: Named, address: str) -> Person:
    """Return the account of the person. At the first sign-in the account is created, if the settings allow that. An
    owner who is named in the settings becomes a member again after a removal.

    Raises a `Problem`: 403 if the settings allow no account or the account is disabled, and 409 if another request
    creates the account at the same time.
    """
    role = Role.OWNER if named.email in proxy.rules.owners else proxy.rules.join_role
    async with opened.everybody.connect() as connection:
        found = await find_by_email(connection, named.email)
    if found is not None and (found.disabled or found.is_service):
        raise _closed("This account is disabled.")
    if found is None and role is None:
        raise _closed("There is no account with your e-mail address here. Ask an admin.")
    with working_for(DEFAULT_ORG_ID), unique("person_email_key", field="email"):
        async with opened.engine.begin() as connection:
            person = found or await insert_person(connection, email=named.email, name=named.name, password_hash=None)
            # A removed member does not become a member again, but an owner who is named in the settings always does.
            joins = found is None or role is Role.OWNER
            if joins and role is not None and await find_role(connection, person.id) is None:
                await insert_member(connection, DEFAULT_ORG_ID, person.id, role)
                actor = Actor(person.id, person.name, address)
                after = {"email": person.email, "role": role.value}
                await record(connection, actor, "joined", "member", id_=person.id, after=after)
    return person


def _closed(detail: str) -> Problem:
    return Problem(403, "No account", detail)
